"""One frozen dataclass per event, named for what happened. They carry ids and numbers, never content.

A `Change` counts the conversation's state up by one: a client that misses a number has missed an event, and fetches the
state anew. The others may be lost without harm.
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
    """Something that happened, and was committed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationEvent(Event):
    """Whoever may read the conversation may hear of it."""

    conversation_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Change(ConversationEvent):
    """`version` is the conversation's `state_version` with this change."""

    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesStored(Change):
    """`messages` are the newest of them; the indexes name them all."""

    first_index: int
    last_index: int
    messages: tuple[MessageState, ...]
    counts: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageUpdated(Change):
    messages: tuple[MessageState, ...]
    counts: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesExcluded(Change):
    """`messages` are those among the newest; `message_ids` name them all."""

    message_ids: tuple[UUID, ...]
    excluded: bool
    messages: tuple[MessageState, ...]
    counts: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted(Change):
    turn: TurnState | None
    messages: tuple[MessageState, ...]
    counts: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnProgressed(ConversationEvent):
    """`characters` is how many the reply has by now. May be lost."""

    reply_id: UUID
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFinished(Change):
    """`turn` is empty again: nothing is being written."""

    reply_id: UUID
    status: str
    error_code: str
    turn: TurnState | None
    messages: tuple[MessageState, ...]
    counts: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthChanged(ConversationEvent):
    """The health of the state that `version` names. The newest replaces those before."""

    version: int
    health: Health


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionQueued(Change):
    compaction: CompactionState | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionStarted(Change):
    compaction: CompactionState | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionStaged(Change):
    compaction: CompactionState | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionFailed(Change):
    compaction: CompactionState | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionDropped(Change):
    """A run that found nothing to fold is gone without a record."""

    compaction: CompactionState | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextCompacted(Change):
    """`messages` are the newest of the conversation, for some are folded now."""

    compaction: CompactionState | None
    summary: SummaryState
    messages: tuple[MessageState, ...]
    counts: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionUndone(Change):
    """`messages` are the newest of the conversation, for some are live again."""

    compaction: CompactionState | None
    summary: SummaryState
    messages: tuple[MessageState, ...]
    counts: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryChanged(Change):
    """Otherwise than by a compaction or its undoing."""

    summary: SummaryState


@dataclass(frozen=True, slots=True, kw_only=True)
class PinsChanged(Change):
    pins: tuple[PinState, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationChanged(Change):
    conversation: ConversationState


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalEvent(Event):
    """Only for this person, in this workspace."""

    workspace_id: UUID
    user_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationsChanged(PersonalEvent):
    """Their list of conversations is another: one was made, named, shared, archived, or said something in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserMemoryChanged(PersonalEvent):
    memory_id: UUID
    deleted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChanged(Event):
    """Nodes of a person's memory tree, or of the team's where no person is named. `node_ids` are some of them."""

    workspace_id: UUID
    user_id: UUID | None
    node_ids: tuple[UUID, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessRevoked(PersonalEvent):
    """Of one conversation, by one key, or altogether where neither is named."""

    conversation_id: UUID | None = None
    key_id: UUID | None = None
