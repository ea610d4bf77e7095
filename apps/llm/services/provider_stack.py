"""What stands between who asks and the adapter of a provider: every attempt is guarded and measured, a provider that
fails again and again is left alone, and what failed is tried again where that helps."""

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
    """On whose account a piece of work asks models, and within which limits."""

    workspace_id: UUID
    policy: Policy


def chained(adapter: Provider, payer: Payer, times: ModelTimes) -> tuple[Provider, list[CallReport]]:
    """The provider for one piece of work, and the reports of its calls as they come.

    The offline one is no model: nobody pays for it, and it is there whatever is spent.
    """
    if adapter.name == OFFLINE:
        metered = MeteredProvider(adapter, cost=cost_micros)
        return metered, metered.reports
    guard = DayGuard(payer.workspace_id, payer.policy)
    metered = MeteredProvider(adapter, guard=guard, cost=cost_micros)
    breaking = BreakingProvider(metered, adapter=adapter, workspace_id=payer.workspace_id)
    return RetryingProvider(breaking, times), metered.reports
