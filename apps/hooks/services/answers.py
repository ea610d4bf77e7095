"""The answer to an event in its client's own JSON."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.language.chit_chat import is_chit_chat
from apps.engine.memory.trust import Trust, is_low
from apps.hooks.cleaning import cleaned
from apps.hooks.dialects.event import AFTER_COMPACTION, AgentEvent, EventKind
from apps.hooks.dialects.registry import DIALECTS
from apps.hooks.records import StoredEvent
from apps.hooks.services.contexts import compacted_context, start_context
from apps.hooks.services.recall import recalled_context
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.find import find
from apps.memory.selectors.search.query_vectors import queries_prepare
from apps.memory.selectors.search.relevance import is_anything_relevant
from apps.memory.selectors.search.search_config import search_config

_LONGEST_QUERY = 1_000
_MOST_RECALLED = 8


def event_answer(actor: Actor, client: str, stored: StoredEvent, recall: SearchQuery | None) -> dict[str, Any]:
    """Return the answer; empty where the client takes none or there is nothing to tell."""
    event, dialect = stored.event, DIALECTS[client]
    if event is None or stored.conversation_id is None or event.name not in dialect.takes:
        return {}
    return dialect.answer(event, _text(actor, event, stored.conversation_id, recall))


def recall_query(actor: Actor, event: AgentEvent | None) -> SearchQuery | None:
    """The search for a prompt with its embedding. Call it outside a unit of work."""
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
    return prepared.embedded()[0]


def _text(actor: Actor, event: AgentEvent, conversation_id: UUID, recall: SearchQuery | None) -> str:
    if event.kind is EventKind.PROMPT:
        return _recalled(actor, recall, conversation_id) if recall else ""
    if event.kind is EventKind.COMPACTING or event.reason == AFTER_COMPACTION:
        return compacted_context(actor, conversation_id)
    return start_context(actor, conversation_id)


def _recalled(actor: Actor, recall: SearchQuery, conversation_id: UUID) -> str:
    config = search_config()
    found = find(actor, recall, config)
    is_relevant = is_anything_relevant(found.hits, found.vector, config.space, with_messages=False)
    trusted = [hit for hit in found.hits if not hit.trust or not is_low(Trust(hit.trust))]
    return recalled_context(trusted, conversation_id) if is_relevant else ""
