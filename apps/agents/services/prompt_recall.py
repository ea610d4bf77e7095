"""The memories that an agent is sent for a prompt: what its text finds and what of it is relevant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from apps.accounts.actors import Actor
from apps.agents.cleaning import cleaned
from apps.agents.clients.event import AgentEvent, EventKind
from apps.common.tenancy import workspace
from apps.conversations.selectors.access import conversation_access
from apps.conversations.selectors.audience import audience_of
from apps.engine.language.chit_chat import is_chit_chat
from apps.engine.memory.trust import Trust, is_low
from apps.memory.records.search import Hit, SearchQuery
from apps.memory.selectors.search.find import find
from apps.memory.selectors.search.query_vectors import queries_prepare
from apps.memory.selectors.search.relevance import relevant_hits
from apps.memory.selectors.search.search_config import search_config
from apps.memory.services.search.relevance import query_chances

_LONGEST_QUERY = 1_000
_MOST_RECALLED = 8


@dataclass(frozen=True, slots=True)
class PromptRecall:
    """The search for a prompt with its embedding, and the chances of memories that they are relevant, if judged."""

    query: SearchQuery
    chances: Mapping[UUID, float] | None


def prompt_recall(actor: Actor, event: AgentEvent | None) -> PromptRecall | None:
    """Embed a prompt, and judge what is relevant to it; None if it asks for nothing. Call it outside a unit of work."""
    if event is None or event.kind is not EventKind.PROMPT:
        return None
    text = cleaned(event.text)[:_LONGEST_QUERY].strip()
    if not text or is_chit_chat(text):
        return None
    query = SearchQuery(text, top_k=_MOST_RECALLED)
    with workspace(actor.workspace_id):
        config = search_config()
        if not (config.policy.engine_enabled and config.policy.lookups_enabled):
            return None
        prepared = queries_prepare(actor, [query], config)
    (ready,) = prepared.embedded()
    return PromptRecall(ready, query_chances(actor, ready, config))


def recalled_hits(actor: Actor, conversation_id: UUID, recall: PromptRecall) -> list[Hit]:
    """Search for what is relevant and may be used in the conversation; memories of little trust are not recalled."""
    config, audience = search_config(), audience_of(actor, conversation_access(actor, conversation_id))
    query = replace(recall.query, with_own_memories=audience.allows_private_memories)
    found = find(actor, query, config)
    relevant = relevant_hits(found, recall.chances, config)
    return [hit for hit in found.hits if hit.id in relevant and not (hit.trust and is_low(Trust(hit.trust)))]
