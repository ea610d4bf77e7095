"""Envelopes of events: the frame sent to clients and the group of sockets that receives it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal
from uuid import UUID

from apps.events.types import ConversationEvent, Event, MemoryChanged, PersonalEvent, WorkspaceEvent

# Fields of an event that are siblings of `data` in its frame.
HEAD = ("conversation_id", "version")
# Fields of an event that no client needs.
HIDDEN = ("workspace_id",)
_PERSON = "person."


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionFrame:
    """The conversation is at this version: a client that is behind it fetches the state."""

    type: Literal["version"] = "version"
    conversation_id: UUID
    version: int


def event_frame(event: Event) -> dict[str, Any]:
    """`{"type": "event", "name", "conversation_id", "version", "data"}`; fields that the event lacks are omitted."""
    frame: dict[str, Any] = {"type": "event", "name": type(event).__name__}
    frame |= {name: getattr(event, name) for name in HEAD if _has(event, name)}
    data = {field.name: getattr(event, field.name) for field in fields(event) if field.name not in HEAD + HIDDEN}
    return {**frame, "data": data}


def version_frame(conversation_id: UUID, version: int) -> dict[str, Any]:
    """A frame with the conversation's version; a client that is behind it fetches the state."""
    return frame_fields(VersionFrame(conversation_id=conversation_id, version=version))


def frame_fields(frame: Any) -> dict[str, Any]:
    """The fields of a frame's dataclass by name; a field that is None is absent."""
    values = ((field.name, getattr(frame, field.name)) for field in fields(frame))
    return {name: value for name, value in values if value is not None}


def group_of(event: Event) -> str:
    if isinstance(event, ConversationEvent):
        return conversation_group(event.conversation_id)
    if isinstance(event, PersonalEvent):
        return person_group(event.workspace_id, event.user_id)
    if isinstance(event, WorkspaceEvent):
        return team_group(event.workspace_id)
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
