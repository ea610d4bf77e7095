"""Readers of items by their kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from apps.conversations.field_checks import BadMessage, required_text, shown
from apps.transfer.formats import items, own_items
from apps.transfer.formats.fields import Fields

_READERS: Mapping[str, Callable[[Fields], Any]] = MappingProxyType(
    {
        "session": items.read_session,
        "prompt": items.read_prompt,
        "tool_use": items.read_tool_use,
        "observation": items.read_observation,
        "summary": items.read_summary,
        "memory": items.read_memory,
        "conversation": items.read_conversation,
        "transcript": items.read_transcript,
        "node": items.read_node,
        "user_memory": own_items.read_user_memory,
        "pin": own_items.read_pin,
        "summary_version": own_items.read_summary_version,
        "session_memory": own_items.read_session_memory,
        "node_history": own_items.read_node_history,
        "node_conflict": own_items.read_node_conflict,
        "agent_session": own_items.read_agent_session,
        "agent_observation": own_items.read_agent_observation,
        "skip": items.read_omitted,
        "problem": items.read_omitted,
    }
)
KINDS = tuple(_READERS)


def item_of(fields: Fields) -> Any:
    """Read an item; raise `BadMessage` with the reason if it cannot be stored."""
    kind = required_text(fields, "kind")
    if kind not in _READERS:
        raise BadMessage("unknown_kind", f"{shown(kind)} is not one of {', '.join(_READERS)}")
    return _READERS[kind](fields)
