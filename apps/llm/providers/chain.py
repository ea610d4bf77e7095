"""What stands between who asks and the adapter of a provider: every call is measured, and tried again where that helps."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from apps.engine.policy import Policy
from apps.llm.providers.base import Provider, Purpose
from apps.llm.providers.metered import CallReport, MeteredProvider
from apps.llm.providers.retrying import RetryingProvider
from apps.llm.times import ModelTimes


@dataclass(frozen=True, slots=True)
class Payer:
    """On whose account a piece of work asks models, what for, and within which limits."""

    workspace_id: UUID
    purpose: Purpose
    policy: Policy


def chained(adapter: Provider, payer: Payer, times: ModelTimes) -> tuple[Provider, list[CallReport]]:
    """The provider for one piece of work, and the reports of its calls as they come."""
    metered = MeteredProvider(adapter)
    return RetryingProvider(metered, times), metered.reports
