"""The guard of a day's spending: what a call may take at most is held before any connection is opened.

It is held in one statement, so that calls at the same time never hold more than there is, whoever makes them. What a
call really took is settled with its row in the ledger. A call that was killed keeps what it held.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import F
from django.utils import timezone

from apps.common.tenancy import workspace
from apps.engine.policy import Policy
from apps.llm.blocking import in_database
from apps.llm.errors import ModelError
from apps.llm.models import SpendDay
from apps.llm.prices import prices
from apps.llm.providers.base import Purpose
from apps.llm.providers.holding import Asked, Held
from apps.llm.selectors.calibration import estimator_for
from apps.llm.spending import Ceilings, day_of, input_at_most, tokens_at_most

NO_PRICE = "The workspace limits what models may cost, and no price is known of {model} by {provider}."
BACKGROUND = (
    "Less of the background's share of today's limit is left than this call may take. It begins anew at 00:00 UTC."
)
CHAT = "Less of today's limit is left than this reply may take. It goes on at 00:00 UTC."


@dataclass(frozen=True, slots=True)
class DayGuard:
    """Of one workspace. Without a ceiling the database is not asked."""

    workspace_id: UUID
    policy: Policy

    async def hold(self, asked: Asked) -> Held:
        """Raises `ModelError`: `recall_only`, or `ceiling` where the call might take more than is left."""
        if not self.policy.model_calls_enabled:
            raise ModelError("recall_only")
        day = day_of(timezone.now())
        if not Ceilings.of(self.policy).are_set:
            return Held(day)
        return await in_database(lambda: self._held(asked, day))

    def _held(self, asked: Asked, day: date) -> Held:
        """In a unit of its own."""
        with workspace(self.workspace_id):
            held = self._most(asked, day)
            limits = Ceilings.of(self.policy).for_purpose(asked.purpose)
            if not (_take(held, limits) or _take_of_new(held, limits)):
                raise ModelError("ceiling", CHAT if asked.purpose is Purpose.CHAT else BACKGROUND)
        return held

    def _most(self, asked: Asked, day: date) -> Held:
        percent = estimator_for(self.policy, asked.model).percent
        input_tokens = input_at_most(asked, percent)
        rate = prices().rate_for(asked.provider, asked.model, input_tokens)
        if rate is not None:
            cost = rate.most_micros(input_tokens=input_tokens, output_tokens=asked.output_tokens)
            return Held(day, tokens_at_most(asked, percent), cost)
        if self.policy.daily_cost_ceiling_cents:
            raise ModelError("ceiling", NO_PRICE.format(model=asked.model, provider=asked.provider))
        return Held(day, tokens_at_most(asked, percent))


def _take(held: Held, limits: Ceilings) -> bool:
    rows = SpendDay.objects.filter(day=held.day)
    if limits.tokens is not None:
        rows = rows.filter(tokens__lte=limits.tokens - held.tokens)
    if limits.cost_micros is not None:
        rows = rows.filter(cost_micros__lte=limits.cost_micros - held.cost_micros)
    taken = rows.update(tokens=F("tokens") + held.tokens, cost_micros=F("cost_micros") + held.cost_micros)
    return bool(taken)


def _take_of_new(held: Held, limits: Ceilings) -> bool:
    """Where the day has no row yet, or had none a moment ago."""
    SpendDay.objects.bulk_create([SpendDay(day=held.day)], ignore_conflicts=True)
    return _take(held, limits)
