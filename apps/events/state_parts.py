"""Parts of a conversation's live state in events and snapshots: always complete values, never deltas.

A client that has a snapshot replaces each part by the one of a newer event. Only messages are many: they are put in
by their id, and the newest `NEWEST_MESSAGES` by index stay.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

NEWEST_MESSAGES = 50


@dataclass(frozen=True, slots=True)
class ConversationState:
    """Editable fields; `edited` is the version for the If-Match of the next change."""

    title: str
    archived_at: datetime | None
    edited: int
    share_count: int
    private_memory_when_shared: bool


@dataclass(frozen=True, slots=True)
class Counts:
    message_count: int
    token_total: int
    excluded_tokens: int
    live_count: int
    live_tokens: int


@dataclass(frozen=True, slots=True)
class MessageState:
    """A message without its content; `state` is live, compacted or excluded.

    `used_count` is the number of memories and messages that were retrieved for a reply.
    """

    id: UUID
    index: int
    role: str
    status: str
    state: str
    token_count: int
    error_code: str
    used_count: int


@dataclass(frozen=True, slots=True)
class TurnState:
    """The reply that is being written."""

    reply_id: UUID
    index: int
    since: datetime


@dataclass(frozen=True, slots=True)
class SummaryState:
    version: int
    tokens: int
    compaction_count: int


@dataclass(frozen=True, slots=True)
class CompactionState:
    """The running or queued compaction, else the last one; `progress` in percent, `stage` empty unless it is running.

    `fallback_reason` is why it is written without a model though one is configured.
    """

    run_id: UUID
    trigger: str
    level: str
    state: str
    stage: str
    progress: int
    version: int | None
    compacted_from: int | None
    compacted_through: int | None
    compacted_count: int
    tokens_before: int | None
    tokens_after: int | None
    fallback_reason: str
    error_code: str
    retry_at: datetime | None


@dataclass(frozen=True, slots=True)
class PinState:
    id: UUID
    message_id: UUID | None
    category: str
    token_count: int
    version: int
