"""Budget status of a workspace: today's spending, and whether its models may still be called."""

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

# Input tokens of the smallest calls: a short message, and the instructions and schema of a summary.
_MIN_REPLY_TOKENS, _MIN_SUMMARY_TOKENS = 500, 1_500


def spending_now(policy: Policy) -> Spending:
    """The budget status, in a unit of work. Without a ceiling or in no-model mode it reads nothing and reports 0."""
    spent = spent_today() if Ceilings.of(policy).are_set and policy.model_calls_enabled else Spent()
    return spending_of(policy, spent, timezone.now())


def spending_today(policy: Policy) -> Spending:
    """The budget status with today's spending, even without a ceiling."""
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
    """The reason not to call the model for a summary now: `recall_only`, `no_price`, `ceiling`, or empty. In a unit."""
    if not policy.model_calls_enabled:
        return "recall_only"
    if not Ceilings.of(policy).are_set:
        return ""
    return _refusal(chosen, Purpose.COMPACTION, policy, spent_today())


def spent_today() -> Spent:
    row = SpendDay.objects.filter(day=day_of(timezone.now())).first()
    return Spent(row.tokens, row.cost_micros) if row else Spent()


def _refusals(policy: Policy, spent: Spent) -> Refusals:
    """The refusals for the chosen models, judged by the reservation of their smallest call."""
    if not (policy.model_calls_enabled and Ceilings.of(policy).are_set):
        return refusals_by_ceilings(policy, spent)
    chosen = {purpose: provider_for(purpose, policy) for purpose in (Purpose.CHAT, Purpose.COMPACTION)}
    return Refusals(*(_refusal(model, purpose, policy, spent) for purpose, model in chosen.items()))


def _refusal(chosen: ChosenModel, purpose: Purpose, policy: Policy, spent: Spent) -> str:
    try:
        smallest = most_of(_smallest_call(chosen, purpose, policy), policy) if chosen.configured else Spent(1, 1)
    except ModelError as error:
        return error.code
    return "" if Ceilings.of(policy).for_purpose(purpose).allow(spent, smallest) else "ceiling"


def _smallest_call(chosen: ChosenModel, purpose: Purpose, policy: Policy) -> CallEstimate:
    """The estimate of the smallest call: a short message, or a summary of the minimum that is compacted."""
    if purpose is Purpose.CHAT:
        prompt, answer, turns = _MIN_REPLY_TOKENS, chosen.answer_budget, 1
    else:
        prompt, answer = (
            _MIN_SUMMARY_TOKENS + policy.min_compaction_tokens,
            min(chosen.answer_budget, summary_tokens(policy)),
        )
        turns = chosen.provider.capabilities.turns_in_a_form
    by_bytes = tokens_by_bytes(["x" * CHARACTERS_PER_TOKEN * prompt])
    return CallEstimate(purpose, chosen.provider.name, chosen.model, prompt, answer, by_bytes, turns)
