"""The intent of a search by a model: one call, one retry with the reason of the rejection.

No unit of work may be open during the call.
"""

from __future__ import annotations

import secrets

from apps.engine.memory.search.intent import MOST_SUB_QUERIES, Intent, SubQuery
from apps.llm.providers.base import ModelRequest, Purpose
from apps.llm.services.background_call import CallAccount, ask
from apps.llm.services.registry import ChosenModel
from apps.llm.structured.structured_output import NotAcceptable, Question
from apps.llm.structured.text import clean
from apps.memory.services.search.intent_prompt import IntentInput, intent_prompt
from apps.memory.services.search.intent_schema import IntentAnswer

_CALL_S = 4.0
_ANSWER_TOKENS = 1_000
_LONGEST_SUB_QUERY = 2_000


def intent_with_model(asked: IntentInput, account: CallAccount) -> Intent:
    """Have a model split the query. Raise `ModelError` on failure."""
    return ask(_question(asked, account.chosen), purpose=Purpose.INTENT, account=account)


def _question(asked: IntentInput, chosen: ChosenModel) -> Question[IntentAnswer, Intent]:
    boundary = secrets.token_hex(8)

    def request(problem: str, left_s: float) -> ModelRequest:
        prompt = intent_prompt(asked, boundary, problem)
        room = min(_ANSWER_TOKENS, chosen.answer_budget)
        return ModelRequest(Purpose.INTENT, chosen.model, prompt, max_tokens=room, timeout_s=left_s)

    def accept(answer: IntentAnswer, last: bool) -> Intent:
        if len(answer.sub_queries) > MOST_SUB_QUERIES:
            raise NotAcceptable(f"There are more than {MOST_SUB_QUERIES} sub-queries.")
        found = (SubQuery(one.kind, clean(one.text)[:_LONGEST_SUB_QUERY]) for one in answer.sub_queries)
        if not (sub_queries := tuple(dict.fromkeys(one for one in found if one.text))):
            raise NotAcceptable("There is no sub-query.")
        return Intent(sub_queries, by=chosen.model)

    return Question(IntentAnswer, request, accept, limit_s=_CALL_S)
