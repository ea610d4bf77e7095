"""Storage of single items by their kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from apps.transfer.formats import items, own_items
from apps.transfer.formats.readers import item_of
from apps.transfer.models import ImportStatus
from apps.transfer.services.imports import conversations, session_items, transcripts
from apps.transfer.services.imports.batch import Batch
from apps.transfer.services.imports.memories import memory_store
from apps.transfer.services.imports.outcomes import Outcome
from apps.transfer.services.imports.restore import export, links, memories, summaries, user_memory

_Store = Callable[[Batch, Outcome, Any], None]


def item_store(batch: Batch, outcome: Outcome, fields: Any) -> None:
    """Read an item and store what it becomes; raise an error with the reason if that is not possible."""
    item = item_of(fields)
    if isinstance(item, items.OmittedItem):
        outcome.detail = item.detail
        outcome.end(ImportStatus.REFUSED if item.is_refused else ImportStatus.SKIPPED, item.reason)
    else:
        _STORES[type(item)](batch, outcome, item)


_STORES: Mapping[type, _Store] = MappingProxyType(
    {
        items.SessionItem: session_items.session_store,
        items.PromptItem: session_items.prompt_store,
        items.ToolUseItem: session_items.tool_use_store,
        items.ObservationItem: session_items.imported_observation_store,
        items.SummaryItem: session_items.summary_store,
        items.MemoryItem: memory_store,
        items.ConversationItem: conversations.imported_conversation_store,
        items.TranscriptItem: transcripts.transcript_store,
        items.NodeItem: memories.node_add,
        own_items.UserMemoryItem: user_memory.user_memory_item_store,
        own_items.PinItem: export.pin_store,
        own_items.SummaryVersionItem: summaries.summary_version_store,
        own_items.SessionMemoryItem: memories.session_memory_add,
        own_items.NodeHistoryItem: links.link_add,
        own_items.NodeConflictItem: links.link_add,
        own_items.AgentSessionItem: export.agent_session_store,
        own_items.AgentObservationItem: export.agent_observation_store,
    }
)
