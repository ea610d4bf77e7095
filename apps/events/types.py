"""One frozen dataclass per event, named for what happened. They carry ids and numbers, never content."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Event:
    """Whose it is: who may read the conversation may hear of it."""

    workspace_id: UUID
    conversation_id: UUID


@dataclass(frozen=True, slots=True)
class MessagesStored(Event):
    first_index: int
    last_index: int


@dataclass(frozen=True, slots=True)
class MessagesExcluded(Event):
    message_ids: tuple[UUID, ...]
    excluded: bool


@dataclass(frozen=True, slots=True)
class PinsChanged(Event):
    pass


@dataclass(frozen=True, slots=True)
class CompactionQueued(Event):
    run_id: UUID


@dataclass(frozen=True, slots=True)
class CompactionStarted(Event):
    run_id: UUID
    level: str


@dataclass(frozen=True, slots=True)
class CompactionFailed(Event):
    run_id: UUID
    code: str


@dataclass(frozen=True, slots=True)
class ContextCompacted(Event):
    run_id: UUID
    version: int
    folded_count: int
    tokens_before: int
    tokens_after: int


@dataclass(frozen=True, slots=True)
class CompactionUndone(Event):
    run_id: UUID
    version: int
