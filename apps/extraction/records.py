"""Candidates as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.extraction.models import ExtractionCandidate, Outcome
from apps.jobs.records import FailureReason

KIND, READ_AT_ONCE = "extraction", "read_at_once"
"""The jobs that read a conversation when it pauses, and what was just said in one."""
OUTCOMES = tuple((outcome.value, outcome.value) for outcome in Outcome)


@dataclass(frozen=True, slots=True)
class CandidateRecord:
    """Words of a message and what became of them; `end` is the index of the character after the last."""

    id: UUID
    message_id: UUID
    index: int
    start: int
    end: int
    quote: str
    category: str
    rule: str
    extractor: str
    statement: str
    outcome: str
    reason: str
    memory_id: UUID | None
    created_at: datetime


def candidate_record(row: ExtractionCandidate) -> CandidateRecord:
    return CandidateRecord(
        id=row.id,
        message_id=row.message_id,
        index=row.message.index,
        start=row.start,
        end=row.end,
        quote=row.message.content[row.start : row.end],
        category=row.category,
        rule=row.rule,
        extractor=row.extractor,
        statement=row.statement,
        outcome=row.outcome,
        reason=row.reason,
        memory_id=row.node_id,
        created_at=row.created_at,
    )


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run that has ended; `requested` if a person asked for it. Its `result` is as an operation's."""

    id: UUID
    requested: bool
    ended_at: datetime
    result: dict[str, Any]


MODEL_FAILED = "model_failed"
FAILURES = {
    FailureReason.WORKER_LOST.value: "The server stopped while it read this conversation.",
    FailureReason.CONNECTION_LOST.value: "The server lost its database while it read this conversation.",
    FailureReason.TIME_LIMIT.value: "Reading took longer than a run may take.",
    FailureReason.OUT_OF_MEMORY.value: "The messages need more memory than a worker may use.",
    MODEL_FAILED: "The model failed.",
    FailureReason.INTERNAL_ERROR.value: "Reading failed unexpectedly.",
}


@dataclass(frozen=True, slots=True)
class RunFailure:
    """Why the last run failed, and when the next one starts. `gave_up` after the last attempt in a row: it then
    starts hours later, unless a person asks for it."""

    code: str
    detail: str
    gave_up: bool
    retry_at: datetime


@dataclass(frozen=True, slots=True)
class ExtractionState:
    """How far a conversation was read. `off_by` is what switches it off, empty while memories are made from it.

    `due_at` is when the next run starts, None while one `is_running`, and `failure` is that of the run before it.
    `is_being_read` while what was just said is read.
    """

    off_by: str
    next_index: int
    unread_messages: int
    due_at: datetime | None
    is_running: bool
    is_being_read: bool
    failure: RunFailure | None
    last_run: RunSummary | None


@dataclass(frozen=True, slots=True)
class ExtractedMemory:
    """A memory that was found in a message, as it is now: `state` is accepted, proposed, superseded or archived.

    `replaced` says what it superseded, `conflicts` is the number of memories that it may replace.
    """

    id: UUID
    message_id: UUID
    index: int
    quote: str
    rule: str
    outcome: str
    state: str
    memory_id: UUID
    uri: str
    statement: str
    change_id: UUID | None
    conflicts: int
    replaced: Sequence[str]
    created_at: datetime


MEMORY_STATES = ("accepted", "proposed", "superseded", "archived")
