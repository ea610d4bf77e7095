"""The answer to an event in its client's own JSON."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.agents.clients.event import AFTER_COMPACTION, AgentEvent, EventKind
from apps.agents.clients.registry import DIALECTS
from apps.agents.records import StoredEvent
from apps.agents.services.contexts import compacted_context, start_context
from apps.agents.services.prompt_recall import PromptRecall, recalled_hits
from apps.agents.services.recall import recalled_context


def event_answer(actor: Actor, client: str, stored: StoredEvent, recall: PromptRecall | None) -> dict[str, Any]:
    """Return the answer; empty where the client takes none or there is nothing to tell."""
    event, dialect = stored.event, DIALECTS[client]
    if event is None or stored.conversation_id is None or event.name not in dialect.takes:
        return {}
    return dialect.answer(event, _text(actor, event, stored.conversation_id, recall))


def _text(actor: Actor, event: AgentEvent, conversation_id: UUID, recall: PromptRecall | None) -> str:
    if event.kind is EventKind.PROMPT:
        return recalled_context(recalled_hits(actor, conversation_id, recall), conversation_id) if recall else ""
    if event.kind is EventKind.COMPACTING or event.reason == AFTER_COMPACTION:
        return compacted_context(actor, conversation_id)
    return start_context(actor, conversation_id)
