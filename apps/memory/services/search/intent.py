"""The intent of a search: by the workspace's model for this purpose, else by rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import workspace
from apps.conversations.selectors.access import conversation_access
from apps.conversations.selectors.messages import newest_live
from apps.engine.memory.search.intent import Intent, intent_by_rules
from apps.llm.errors import ModelError
from apps.llm.providers.base import Purpose
from apps.llm.services.background_call import CallAccount
from apps.llm.services.budget_status import summary_refusal
from apps.llm.services.registry import provider_for
from apps.memory.records.search import SearchQuery
from apps.memory.services.search.intent_prompt import IntentInput
from apps.memory.services.search.model_intent import intent_with_model

_MESSAGES_READ, _LONGEST_READ = 6, 500


@dataclass(frozen=True, slots=True)
class ResolvedIntent:
    """An intent; `degraded` is the code of why no model was asked or its answer not used, empty if none is needed."""

    intent: Intent
    degraded: str = ""


def intent_of(actor: Actor, query: SearchQuery) -> ResolvedIntent:
    """The intent of a query. Call it outside a unit of work: a model may be called.

    Chit-chat is recognized by rules alone, and a model that fails is replaced by the rules.
    """
    by_rules = intent_by_rules(query.query)
    if by_rules.is_chit_chat:
        return ResolvedIntent(by_rules)
    with workspace(actor.workspace_id):
        policy = policy_for_workspace()
        chosen = provider_for(Purpose.INTENT, policy)
        if not (policy.model_calls_enabled and chosen.configured):
            return ResolvedIntent(by_rules)
        refused = summary_refusal(chosen, policy)
        asked = IntentInput(query.query, _messages_before(actor, query))
    if refused:
        return ResolvedIntent(by_rules, refused)
    try:
        account = CallAccount(chosen, actor.workspace_id, query.conversation_id)
        return ResolvedIntent(intent_with_model(asked, account))
    except ModelError as error:
        return ResolvedIntent(by_rules, error.code)


def _messages_before(actor: Actor, query: SearchQuery) -> Sequence[str]:
    if query.conversation_id is None:
        return ()
    conversation = conversation_access(actor, query.conversation_id)
    return [f"{row.role}: {row.content[:_LONGEST_READ]}" for row in newest_live(conversation.id, _MESSAGES_READ)]
