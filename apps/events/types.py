"""Event types: one frozen dataclass per event, with ids and numbers but never content.

A `Change` counts the conversation's state up by one: a client that misses a number has missed an event, and fetches the
state again. The others may be lost without harm.

A class here that no other is based on is an event, and `apps/realtime/schema.py` describes its frame. After a new one,
`make types` adds it to the page's `EventFrame`, and the TypeScript compiler names the places that must handle it.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from apps.engine.compaction.health import Health
from apps.events.state_parts import (
    CompactionState,
    ConversationState,
    Counts,
    MessageState,
    PinState,
    SummaryState,
    TurnState,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Base of events, which describe committed changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationEvent(Event):
    """An event for everyone who may read the conversation."""

    conversation_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Change(ConversationEvent):
    """A versioned event; `version` is the conversation's `state_version` including this change."""

    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesStored(Change):
    """Messages were stored; `messages` contains the newest, the indexes cover all."""

    first_index: int
    last_index: int
    messages: tuple[MessageState, ...]
    counts: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageUpdated(Change):
    """A message changed; `messages` contains it if it is among the newest."""

    messages: tuple[MessageState, ...]
    counts: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesExcluded(Change):
    """Messages changed; `messages` contains those among the newest, `message_ids` all."""

    message_ids: tuple[UUID, ...]
    excluded: bool
    messages: tuple[MessageState, ...]
    counts: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted(Change):
    """A turn started; `turn` describes the reply that is being written."""

    turn: TurnState | None
    messages: tuple[MessageState, ...]
    counts: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnProgressed(ConversationEvent):
    """Progress of a reply of `characters` characters so far. May be lost."""

    reply_id: UUID
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFinished(Change):
    """A turn ended; `turn` is empty because no reply is being written."""

    reply_id: UUID
    status: str
    error_code: str
    turn: TurnState | None
    messages: tuple[MessageState, ...]
    counts: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthChanged(ConversationEvent):
    """The health computed from the state at `version`; replaces earlier ones."""

    version: int
    health: Health


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionQueued(Change):
    """A compaction was queued."""

    compaction: CompactionState | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionStarted(Change):
    """A compaction started."""

    compaction: CompactionState | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionStaged(Change):
    """A running compaction reached its next stage."""

    compaction: CompactionState | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionFailed(Change):
    """A compaction failed; `compaction` says when it is retried, if it is."""

    compaction: CompactionState | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionDropped(Change):
    """A compaction ended; a run without anything to compact leaves no record."""

    compaction: CompactionState | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextCompacted(Change):
    """Messages were compacted; `messages` contains the newest, since their state may have changed."""

    compaction: CompactionState | None
    summary: SummaryState
    messages: tuple[MessageState, ...]
    counts: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionUndone(Change):
    """A compaction was undone; `messages` contains the newest, since their state may have changed."""

    compaction: CompactionState | None
    summary: SummaryState
    messages: tuple[MessageState, ...]
    counts: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryChanged(Change):
    """The summary changed for another reason than a compaction or its undo."""

    summary: SummaryState


@dataclass(frozen=True, slots=True, kw_only=True)
class PinsChanged(Change):
    """A pin was created, changed or deleted; `pins` contains all pins."""

    pins: tuple[PinState, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationChanged(Change):
    """The title, settings or archive state of the conversation changed."""

    conversation: ConversationState


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalEvent(Event):
    """An event for one user in one workspace."""

    workspace_id: UUID
    user_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationsChanged(PersonalEvent):
    """The user's list of conversations changed: one was created, renamed, shared, archived or got a message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserMemoryChanged(PersonalEvent):
    memory_id: UUID
    deleted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriesExtracted(PersonalEvent):
    """Messages of one of the user's conversations were read for memories, or memories were made from it."""

    conversation_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceEvent(Event):
    """An event for every member of a workspace."""

    workspace_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class MembersChanged(WorkspaceEvent):
    """A member joined or left, a role changed, or an invitation was answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChanged(Event):
    """Nodes of a user's memory tree changed, or of the team's without `user_id`. `node_ids` lists some of them."""

    workspace_id: UUID
    user_id: UUID | None
    node_ids: tuple[UUID, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessRevoked(PersonalEvent):
    """Access to one conversation or by one key was revoked, or all access if neither is given."""

    conversation_id: UUID | None = None
    key_id: UUID | None = None
