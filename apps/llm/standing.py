"""How a workspace stands with today's spending."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from apps.engine.policy import Policy
from apps.llm.models import SpendDay
from apps.llm.records import Spending
from apps.llm.spending import Ceilings, SpendState, Spent, day_of, resets_at, state_of, told


def spending_now(policy: Policy) -> Spending:
    """Inside a unit. One read; none where the workspace has no ceiling, or calls no models."""
    now, ceilings = timezone.now(), Ceilings.of(policy)
    spent = spent_today() if ceilings.are_set and policy.model_calls_enabled else Spent()
    return spending_of(policy, spent, now)


def spending_today(policy: Policy) -> Spending:
    """The same with what was spent, whatever the ceilings."""
    return spending_of(policy, spent_today(), timezone.now())


def background_stops(policy: Policy) -> str:
    """Why no model is asked in the background today: `recall_only`, `ceiling`, or nothing. Inside a unit."""
    match spending_now(policy).state:
        case SpendState.RECALL_ONLY:
            return "recall_only"
        case SpendState.STOPPED | SpendState.BACKGROUND_STOPPED:
            return "ceiling"
        case _:
            return ""


def spending_of(policy: Policy, spent: Spent, now: datetime) -> Spending:
    state, ceilings = state_of(policy, spent), Ceilings.of(policy)
    return Spending(
        state=state.value,
        detail=told(state),
        resets_at=resets_at(now),
        day=day_of(now),
        tokens=spent.tokens,
        cost_micros=spent.cost_micros,
        token_ceiling=ceilings.tokens,
        cost_ceiling_micros=ceilings.cost_micros,
        warning_percent=ceilings.warning_percent,
        background_percent=ceilings.background_percent,
    )


def spent_today() -> Spent:
    row = SpendDay.objects.filter(day=day_of(timezone.now())).first()
    return Spent(row.tokens, row.cost_micros) if row else Spent()
