"""The middleware stack around a provider's adapter: budget guard and metering per attempt, circuit breaker, retries."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from apps.engine.policy import Policy
from apps.llm.budget.pricing import cost_micros
from apps.llm.middleware.circuit_breaker import BreakingProvider
from apps.llm.middleware.metering import CallReport, MeteredProvider
from apps.llm.middleware.retry import RetryingProvider
from apps.llm.providers.base import Provider
from apps.llm.routing.providers import OFFLINE
from apps.llm.services.budget_guard import DayGuard
from apps.llm.timeouts import ModelTimes


@dataclass(frozen=True, slots=True)
class Payer:
    """The workspace that pays for calls, and its policy."""

    workspace_id: UUID
    policy: Policy


def chained(adapter: Provider, payer: Payer, times: ModelTimes) -> tuple[Provider, list[CallReport]]:
    """Wrap an adapter for one unit of work; the returned list collects the reports of its calls.

    The offline provider has no guard, breaker or retries: it is free and always available.
    """
    if adapter.name == OFFLINE:
        metered = MeteredProvider(adapter, cost=cost_micros)
        return metered, metered.reports
    guard = DayGuard(payer.workspace_id, payer.policy)
    metered = MeteredProvider(adapter, guard=guard, cost=cost_micros)
    breaking = BreakingProvider(metered, adapter=adapter, workspace_id=payer.workspace_id)
    return RetryingProvider(breaking, times), metered.reports
