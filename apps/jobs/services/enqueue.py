"""Enqueuing of jobs inside the transaction that requires them, so that a rollback drops the request.

Times are PostgreSQL's statement timestamps, so that processes on several machines agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.utils import timezone

from apps.common.ids import uuid7
from apps.jobs.models import Priority

INSTALLATION = UUID(int=0)
"""Workspace id of jobs that belong to the installation."""

CHANNEL = "continuity_jobs"

# Every new request delays a waiting job (debounce), but never past its deadline. Exceptions: an immediate job
# (due at its own deadline) is not delayed, a leased one stores the new time for its release, and a failed
# or lost one keeps its back-off. A dead one is requeued. The highest priority counts; a leased job serves the
# requests before it, so the next one replaces it.
_REQUEST = """
INSERT INTO jobs_duejob AS job
    (id, workspace_id, kind, key, priority, due_at, deadline_at, generation, attempts, last_error, state)
SELECT requested.id, NULLIF(requested.workspace_id, %(installation)s), %(kind)s, %(key)s, %(priority)s, %(due)s,
    %(deadline)s, 1, 0, '', 'due'
FROM unnest(%(ids)s::uuid[], %(workspaces)s::uuid[]) AS requested (id, workspace_id)
ON CONFLICT (workspace_id, kind, key) DO UPDATE SET
    state = 'due',
    generation = job.generation + 1,
    priority = CASE WHEN job.state = 'dead' OR job.lease_until > statement_timestamp() THEN EXCLUDED.priority
        ELSE LEAST(job.priority, EXCLUDED.priority) END,
    due_at = CASE
        WHEN job.state = 'dead' OR EXCLUDED.due_at >= EXCLUDED.deadline_at THEN EXCLUDED.due_at
        WHEN job.lease_until > statement_timestamp() THEN EXCLUDED.due_at
        WHEN job.attempts + job.losses > 0 AND job.lease_until IS NULL
            THEN GREATEST(job.due_at, LEAST(EXCLUDED.due_at, job.deadline_at))
        ELSE LEAST(EXCLUDED.due_at, job.deadline_at) END,
    deadline_at = CASE WHEN job.state = 'dead' THEN EXCLUDED.deadline_at
        ELSE LEAST(job.deadline_at, EXCLUDED.deadline_at) END,
    attempts = CASE
        WHEN job.state = 'dead' THEN 0
        WHEN EXCLUDED.due_at >= EXCLUDED.deadline_at AND job.lease_until IS NULL THEN 0
        ELSE job.attempts END
RETURNING due_at <= statement_timestamp() + interval '1 second'
"""


def job_request(
    *,
    workspace_id: UUID,
    kind: str,
    key: str,
    due_at: datetime,
    deadline_at: datetime,
    priority: Priority = Priority.AFTER_TURN,
) -> None:
    """Request that the job run at `due_at`, or earlier if a previous request set a nearer deadline.

    `due_at` equal to `deadline_at` disables debouncing: later requests do not delay it.
    """
    jobs_request(
        workspace_ids=[workspace_id], kind=kind, key=key, due_at=due_at, deadline_at=deadline_at, priority=priority
    )


def job_request_within(
    debounce_s: float,
    max_wait_s: float,
    *,
    workspace_id: UUID,
    kind: str,
    key: str,
    priority: Priority = Priority.AFTER_TURN,
) -> None:
    """Request that the job run `debounce_s` after the last request, at most `max_wait_s` after the first."""
    now = timezone.now()
    job_request(
        workspace_id=workspace_id,
        kind=kind,
        key=key,
        due_at=now + timedelta(seconds=debounce_s),
        deadline_at=now + timedelta(seconds=max_wait_s),
        priority=priority,
    )


def jobs_request(
    *,
    workspace_ids: Sequence[UUID],
    kind: str,
    key: str,
    due_at: datetime,
    deadline_at: datetime,
    priority: Priority,
) -> None:
    """Request the same job for several workspaces in one statement."""
    values: dict[str, Any] = {
        "ids": [uuid7() for _ in workspace_ids],
        "workspaces": list(workspace_ids),
        "installation": INSTALLATION,
        "kind": kind,
        "key": key,
        "priority": priority.value,
        "due": due_at,
        "deadline": deadline_at,
    }
    with connection.cursor() as cursor:
        cursor.execute(_REQUEST, values)
        if any(soon for (soon,) in cursor.fetchall()):
            dispatcher_wake()


def jobs_cancel(*, workspace_id: UUID, key: str) -> None:
    """Delete all jobs of a subject that is being deleted; a running one loses its lease and writes nothing."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM jobs_duejob WHERE workspace_id = %s AND key = %s", [workspace_id, key])


def dispatcher_wake() -> None:
    """Wake the dispatchers when the current transaction commits."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, '')", [CHANNEL])
