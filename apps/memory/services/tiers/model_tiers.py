"""Abstract and overview of a memory by a model: one call, one retry with the reason of the rejection.

No unit of work may be open during the call.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from apps.engine.memory.tiers import ABSTRACT_TOKENS, OVERVIEW_TOKENS
from apps.engine.summary.trust.prompt_injection import orders_the_model
from apps.engine.tokens.counting import count_text
from apps.llm.providers.base import ModelRequest, Purpose
from apps.llm.services.background_call import CallAccount, ask
from apps.llm.services.registry import ChosenModel
from apps.llm.structured.structured_output import NotAcceptable, Question
from apps.llm.structured.text import clean, storable
from apps.memory.services.tiers.tier_prompt import TierInput, tiers_prompt
from apps.memory.services.tiers.tier_schema import TiersAnswer

_ANSWER_TOKENS = 4_000


@dataclass(frozen=True, slots=True)
class Tiers:
    """Abstract and overview; `overview` is empty if the memory is short enough to serve as its own."""

    abstract: str
    overview: str


def tiers_fit(told: TierInput, chosen: ChosenModel) -> bool:
    """Return whether the memory fits into the model's input limit."""
    return count_text(told.content) <= chosen.input_budget


def tiers_with_model(told: TierInput, *, account: CallAccount, limit_s: float) -> Tiers:
    """Have a model write the abstract and overview. Raise `ModelError` on failure."""
    return ask(_question(told, account.chosen, limit_s), purpose=Purpose.EXTRACTION, account=account)


def _question(told: TierInput, chosen: ChosenModel, limit_s: float) -> Question[TiersAnswer, Tiers]:
    boundary = secrets.token_hex(8)

    def request(problem: str, left_s: float) -> ModelRequest:
        prompt = tiers_prompt(told, boundary, problem)
        room = min(_ANSWER_TOKENS, chosen.answer_budget)
        return ModelRequest(Purpose.EXTRACTION, chosen.model, prompt, max_tokens=room, timeout_s=left_s)

    def accept(answer: TiersAnswer, last: bool) -> Tiers:
        tiers = Tiers(clean(answer.abstract), storable(answer.overview).strip() if told.is_long else "")
        _check(tiers, told)
        return tiers

    return Question(TiersAnswer, request, accept, limit_s=limit_s)


def _check(tiers: Tiers, told: TierInput) -> None:
    if not tiers.abstract:
        raise NotAcceptable("The abstract contains no information.")
    if told.is_long and not tiers.overview:
        raise NotAcceptable("The overview contains no information.")
    if count_text(tiers.abstract) > ABSTRACT_TOKENS:
        raise NotAcceptable("The abstract exceeds its length limit.")
    if count_text(tiers.overview) > OVERVIEW_TOKENS:
        raise NotAcceptable("The overview exceeds its length limit.")
    if any(orders_the_model(line) for line in (tiers.abstract, *tiers.overview.splitlines())):
        raise NotAcceptable("Some of it gives orders to a model; leave that out.")
