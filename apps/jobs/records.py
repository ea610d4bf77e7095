"""Records of operations and the queue's state, for the API layer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol
from uuid import UUID

from django.utils import timezone

from apps.jobs.models import DueJob, Operation


class OperationActor(Protocol):
    """The part of `accounts.Actor` that operations need; this app may not import accounts."""

    @property
    def user_id(self) -> UUID: ...

    @property
    def may_read_all_operations(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class OperationView:
    id: UUID
    kind: str
    subject: str
    state: str
    stage: str
    progress: int
    result: dict[str, Any] | None
    error: dict[str, Any] | None
    created_at: datetime
    updated_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class JobView:
    """State of a job: `due`, or `dead` after its last attempt; `due_at` is then when it is requeued."""

    id: UUID
    kind: str
    key: str
    state: str
    due_at: datetime
    attempts: int
    last_error: str
    leased_until: datetime | None

    @property
    def is_running(self) -> bool:
        return self.leased_until is not None and self.leased_until > timezone.now()


class FailureReason(StrEnum):
    """Why a run failed or was lost, as its row records it; an unexpected error is recorded by its class."""

    WORKER_LOST = "worker_lost"
    CONNECTION_LOST = "connection_lost"
    TIME_LIMIT = "time_limit"
    OUT_OF_MEMORY = "out_of_memory"
    INTERNAL_ERROR = "internal_error"

    @classmethod
    def of(cls, last_error: str) -> FailureReason:
        """Return the reason that a row records; an unexpected error is an internal one."""
        return cls(last_error) if last_error in set(cls) else cls.INTERNAL_ERROR


@dataclass(frozen=True, slots=True)
class JobFailure:
    """A job of a workspace whose attempts are used up, `times` in a row; it is tried again at `retry_at`."""

    workspace_id: UUID
    key: str
    reason: FailureReason
    times: int
    retry_at: datetime


@dataclass(frozen=True, slots=True)
class JobHealth:
    """Backlog of the queue: age of the oldest due row in seconds, and dead jobs."""

    oldest_due_s: float
    dead: int


def operation_view(row: Operation) -> OperationView:
    return OperationView(
        id=row.id,
        kind=row.kind,
        subject=row.subject,
        state=row.state,
        stage=row.stage,
        progress=row.progress,
        result=row.result,
        error=row.error,
        created_at=row.created_at,
        updated_at=row.updated_at,
        finished_at=row.finished_at,
    )


def job_view(row: DueJob) -> JobView:
    return JobView(
        id=row.id,
        kind=row.kind,
        key=row.key,
        state=row.state,
        due_at=row.due_at,
        attempts=row.attempts,
        last_error=row.last_error,
        leased_until=row.lease_until,
    )
