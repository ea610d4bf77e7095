"""Asking for work, in the transaction that makes it necessary: what is rolled back was never asked for.

Clocks are PostgreSQL's, at the start of the statement, so that processes on several machines agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.utils import timezone

from apps.common.ids import uuid7

INSTALLATION = UUID(int=0)
"""In place of a workspace, for the work of the installation itself."""

CHANNEL = "continuity_jobs"

# A waiting job is pushed back by every new request, but never past its deadline. Three are treated otherwise: one that
# is wanted at once (due at its own deadline) is not pushed back, one in hand keeps the new time for its release, and
# one that failed keeps its distance. A dead one starts afresh.
_REQUEST = """
INSERT INTO jobs_duejob AS job
    (id, workspace_id, kind, key, due_at, deadline_at, generation, attempts, last_error, state)
SELECT asked.id, NULLIF(asked.workspace_id, %(installation)s), %(kind)s, %(key)s, %(due)s, %(deadline)s, 1, 0, '', 'due'
FROM unnest(%(ids)s::uuid[], %(workspaces)s::uuid[]) AS asked (id, workspace_id)
ON CONFLICT (workspace_id, kind, key) DO UPDATE SET
    state = 'due',
    generation = job.generation + 1,
    due_at = CASE
        WHEN job.state = 'dead' OR EXCLUDED.due_at >= EXCLUDED.deadline_at THEN EXCLUDED.due_at
        WHEN job.lease_until > statement_timestamp() THEN EXCLUDED.due_at
        WHEN job.attempts > 0 AND job.lease_until IS NULL
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


def job_request(*, workspace_id: UUID, kind: str, key: str, due_at: datetime, deadline_at: datetime) -> None:
    """Make sure that the job runs at `due_at`, or earlier if a former request set a nearer deadline.

    `due_at` equal to `deadline_at` means at once: nothing that is asked for later pushes it back.
    """
    jobs_request(workspace_ids=[workspace_id], kind=kind, key=key, due_at=due_at, deadline_at=deadline_at)


def job_request_within(soon_s: float, latest_s: float, *, workspace_id: UUID, kind: str, key: str) -> None:
    """Make sure that the job runs once it was not asked for again for `soon_s`, after `latest_s` in any case."""
    now = timezone.now()
    job_request(
        workspace_id=workspace_id,
        kind=kind,
        key=key,
        due_at=now + timedelta(seconds=soon_s),
        deadline_at=now + timedelta(seconds=latest_s),
    )


def jobs_request(
    *, workspace_ids: Sequence[UUID], kind: str, key: str, due_at: datetime, deadline_at: datetime
) -> None:
    """The same job for each of many workspaces, in one statement."""
    values: dict[str, Any] = {
        "ids": [uuid7() for _ in workspace_ids],
        "workspaces": list(workspace_ids),
        "installation": INSTALLATION,
        "kind": kind,
        "key": key,
        "due": due_at,
        "deadline": deadline_at,
    }
    with connection.cursor() as cursor:
        cursor.execute(_REQUEST, values)
        if any(soon for (soon,) in cursor.fetchall()):
            dispatcher_wake()


def dispatcher_wake() -> None:
    """Wake the dispatchers when the current transaction commits."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, '')", [CHANNEL])
