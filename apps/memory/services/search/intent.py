"""The intent of a search: by the workspace's model for this purpose, else by rules."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import workspace
from apps.conversations.selectors.access import conversation_access
from apps.conversations.selectors.messages import newest_live
from apps.engine.memory.search.intent import MOST_SUB_QUERIES, Intent, SubQuery, intent_by_rules
from apps.llm.errors import ModelError
from apps.llm.providers.base import ModelRequest, Purpose
from apps.llm.services.background_call import CallAccount, ask
from apps.llm.services.budget_status import summary_refusal
from apps.llm.services.registry import ChosenModel, provider_for
from apps.llm.structured.structured_output import NotAcceptable, Question
from apps.llm.structured.text import clean
from apps.memory.records.search import SearchQuery
from apps.memory.services.search.intent_prompt import IntentInput, intent_prompt
from apps.memory.services.search.intent_schema import IntentAnswer

CALL_S = 4.0
_ANSWER_TOKENS = 1_000
_LONGEST_SUB_QUERY = 2_000
_MESSAGES_READ, _LONGEST_READ = 6, 500


@dataclass(frozen=True, slots=True)
class FoundIntent:
    """An intent; `degraded` is the code of why no model was asked or its answer not used, empty if none is needed."""

    intent: Intent
    degraded: str = ""


def intent_of(actor: Actor, query: SearchQuery) -> FoundIntent:
    """The intent of a query. Call it outside a unit of work: a model may be called.

    Small talk is recognized by rules alone, and a model that fails is replaced by the rules.
    """
    by_rules = intent_by_rules(query.query)
    if by_rules.is_small_talk:
        return FoundIntent(by_rules)
    with workspace(actor.workspace_id):
        policy = policy_for_workspace()
        chosen = provider_for(Purpose.INTENT, policy)
        if not (policy.model_calls_enabled and chosen.configured):
            return FoundIntent(by_rules)
        refused = summary_refusal(chosen, policy)
        asked = IntentInput(query.query, _messages_before(actor, query))
    if refused:
        return FoundIntent(by_rules, refused)
    try:
        account = CallAccount(chosen, actor.workspace_id, query.conversation_id)
        return FoundIntent(ask(_question(asked, chosen), purpose=Purpose.INTENT, account=account))
    except ModelError as error:
        return FoundIntent(by_rules, error.code)


def _messages_before(actor: Actor, query: SearchQuery) -> Sequence[str]:
    if query.conversation_id is None:
        return ()
    conversation = conversation_access(actor, query.conversation_id)
    return [f"{row.role}: {row.content[:_LONGEST_READ]}" for row in newest_live(conversation.id, _MESSAGES_READ)]


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
        return Intent(tuple(dict.fromkeys(one for one in found if one.text)), by=chosen.model)

    return Question(IntentAnswer, request, accept, limit_s=CALL_S)
