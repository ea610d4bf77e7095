"""How a workspace stands with today's spending, and whether its models may still be asked."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from apps.engine.policy import Policy
from apps.engine.tokens.counting import CHARACTERS_PER_TOKEN
from apps.llm.budget.rules import (
    Ceilings,
    Refusals,
    Spent,
    day_of,
    refusals_by_ceilings,
    resets_at,
    state_of,
    status_text,
    summary_tokens,
)
from apps.llm.errors import ModelError
from apps.llm.middleware.reservation import CallEstimate, tokens_by_bytes
from apps.llm.models import SpendDay
from apps.llm.providers.base import Purpose
from apps.llm.records import Spending
from apps.llm.selectors.reservation_estimate import most_of
from apps.llm.services.registry import ChosenModel, provider_for

# A short question; the instructions for a summary with the form of its answer.
_LEAST_OF_REPLY, _LEAST_OF_SUMMARY = 500, 1_500


def spending_now(policy: Policy) -> Spending:
    """Inside a unit. No read where the workspace has no ceiling, or calls no models."""
    spent = spent_today() if Ceilings.of(policy).are_set and policy.model_calls_enabled else Spent()
    return spending_of(policy, spent, timezone.now())


def spending_today(policy: Policy) -> Spending:
    """The same with what was spent, whatever the ceilings."""
    return spending_of(policy, spent_today(), timezone.now())


def spending_of(policy: Policy, spent: Spent, now: datetime) -> Spending:
    refusals, ceilings = _refusals(policy, spent), Ceilings.of(policy)
    state = state_of(policy, spent, refusals)
    return Spending(
        state=state.value,
        detail=status_text(state, refusals),
        without_model=refusals.summary,
        resets_at=resets_at(now),
        day=day_of(now),
        tokens=spent.tokens,
        cost_micros=spent.cost_micros,
        token_ceiling=ceilings.tokens,
        cost_ceiling_micros=ceilings.cost_micros,
        warning_percent=ceilings.warning_percent,
        background_percent=ceilings.background_percent,
    )


def summary_refusal(chosen: ChosenModel, policy: Policy) -> str:
    """Why the model is not asked in the background now: `recall_only`, `no_price`, `ceiling`, or nothing. In a unit."""
    if not policy.model_calls_enabled:
        return "recall_only"
    if not Ceilings.of(policy).are_set:
        return ""
    return _refusal(chosen, Purpose.COMPACTION, policy, spent_today())


def spent_today() -> Spent:
    row = SpendDay.objects.filter(day=day_of(timezone.now())).first()
    return Spent(row.tokens, row.cost_micros) if row else Spent()


def _refusals(policy: Policy, spent: Spent) -> Refusals:
    """Of the models that would be asked, by what their least call would hold."""
    if not (policy.model_calls_enabled and Ceilings.of(policy).are_set):
        return refusals_by_ceilings(policy, spent)
    chosen = {purpose: provider_for(purpose, policy) for purpose in (Purpose.CHAT, Purpose.COMPACTION)}
    return Refusals(*(_refusal(model, purpose, policy, spent) for purpose, model in chosen.items()))


def _refusal(chosen: ChosenModel, purpose: Purpose, policy: Policy, spent: Spent) -> str:
    try:
        least = most_of(_least(chosen, purpose, policy), policy) if chosen.configured else Spent(1, 1)
    except ModelError as error:
        return error.code
    return "" if Ceilings.of(policy).for_purpose(purpose).leave(spent, least) else "ceiling"


def _least(chosen: ChosenModel, purpose: Purpose, policy: Policy) -> CallEstimate:
    """What the smallest call asks: a short question, or a summary of as little as is ever folded."""
    if purpose is Purpose.CHAT:
        prompt, answer, turns = _LEAST_OF_REPLY, chosen.answer_room, 1
    else:
        prompt, answer = (
            _LEAST_OF_SUMMARY + policy.min_compaction_tokens,
            min(chosen.answer_room, summary_tokens(policy)),
        )
        turns = chosen.provider.capabilities.turns_in_a_form
    by_bytes = tokens_by_bytes(["x" * CHARACTERS_PER_TOKEN * prompt])
    return CallEstimate(purpose, chosen.provider.name, chosen.model, prompt, answer, by_bytes, turns)
