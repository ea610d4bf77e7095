"""Envelopes of events: the frame sent to clients and the group of sockets that receives it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any
from uuid import UUID

from apps.events.types import ConversationEvent, Event, MemoryChanged, PersonalEvent

# Fields in the frame's head, or internal ones.
_HEAD = frozenset({"workspace_id", "conversation_id", "version"})
_PERSON = "person."


def event_frame(event: Event) -> dict[str, Any]:
    """`{"type": "event", "name", "conversation_id", "version", "data"}`; fields that the event lacks are omitted."""
    frame: dict[str, Any] = {"type": "event", "name": type(event).__name__}
    frame |= {name: getattr(event, name) for name in ("conversation_id", "version") if _has(event, name)}
    data = {field.name: getattr(event, field.name) for field in fields(event) if field.name not in _HEAD}
    return {**frame, "data": data}


def version_frame(conversation_id: UUID, version: int) -> dict[str, Any]:
    """Return a frame with the conversation's version; clients that are behind fetch the state."""
    return {"type": "version", "conversation_id": conversation_id, "version": version}


def group_of(event: Event) -> str:
    if isinstance(event, ConversationEvent):
        return conversation_group(event.conversation_id)
    if isinstance(event, PersonalEvent):
        return person_group(event.workspace_id, event.user_id)
    if isinstance(event, MemoryChanged):
        one = event.user_id
        return person_group(event.workspace_id, one) if one else team_group(event.workspace_id)
    raise TypeError(f"{type(event).__name__} is for nobody")


def conversation_group(conversation_id: UUID) -> str:
    return f"conversation.{conversation_id}"


def person_group(workspace_id: UUID, user_id: UUID) -> str:
    return f"{_PERSON}{workspace_id}.{user_id}"


def team_group(workspace_id: UUID) -> str:
    """Return the group of all members of the workspace."""
    return f"{_PERSON}{workspace_id}.team"


def is_personal(group: str) -> bool:
    return group.startswith(_PERSON)


def _has(event: Event, name: str) -> bool:
    return getattr(event, name, None) is not None
