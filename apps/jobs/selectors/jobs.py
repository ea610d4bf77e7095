"""Queries on jobs: one job, dead jobs, the backlog, and the age of canary and dispatcher heartbeats."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.db import connection
from django.db.models import Min
from django.utils import timezone

from apps.jobs.models import DueJob, JobState, Schedule
from apps.jobs.records import JobHealth, JobView, job_view

CANARY = "canary"
DISPATCHER = "dispatcher"

_NEXT = """
SELECT extract(epoch FROM min(head.due_at) - statement_timestamp())
FROM (VALUES (0), (1), (2), (3)) AS class (priority)
CROSS JOIN LATERAL (
    SELECT due_at FROM jobs_duejob
    WHERE state = 'due' AND priority = class.priority
        AND (lease_until IS NULL OR lease_until < statement_timestamp() OR due_at > statement_timestamp())
    ORDER BY due_at LIMIT 1
) AS head
"""
_SINCE = "SELECT extract(epoch FROM statement_timestamp() - created_at) FROM jobs_schedule WHERE kind = %s"


def job_find(*, workspace_id: UUID, kind: str, key: str) -> JobView | None:
    """Return the due, leased or dead job; None if there is none."""
    row = DueJob.objects.filter(workspace_id=workspace_id, kind=kind, key=key).first()
    return job_view(row) if row else None


def job_keys(kind: str) -> set[str]:
    """Return the keys of all jobs of a kind, of any workspace."""
    return set(DueJob.objects.filter(kind=kind).values_list("key", flat=True))


def job_list_dead(*, workspace_id: UUID, limit: int = 50) -> list[JobView]:
    """Return dead jobs, newest first."""
    rows = DueJob.objects.filter(workspace_id=workspace_id, state=JobState.DEAD).order_by("-due_at")[:limit]
    return [job_view(row) for row in rows]


def job_health() -> JobHealth:
    """Return the backlog of the whole installation; contains no user content."""
    oldest = DueJob.objects.filter(state=JobState.DUE).aggregate(oldest=Min("due_at"))["oldest"]
    behind = (timezone.now() - oldest) / timedelta(seconds=1) if oldest else 0.0
    return JobHealth(oldest_due_s=max(behind, 0.0), dead=DueJob.objects.filter(state=JobState.DEAD).count())


def canary_age_seconds() -> float | None:
    """Return seconds since a canary job last completed; None if none ever did."""
    row = Schedule.objects.filter(kind=CANARY).order_by("-period").first()
    return (timezone.now() - row.period) / timedelta(seconds=1) if row else None


def dispatcher_age_seconds() -> float | None:
    """Return seconds since the last heartbeat of a dispatcher; None if there was none."""
    with connection.cursor() as cursor:
        cursor.execute(_SINCE, [DISPATCHER])
        row = cursor.fetchone()
    return None if row is None else float(row[0])


def next_due_in() -> float | None:
    """Return seconds until the next job is due, at most 0 if one waits for a worker; None if none is left."""
    with connection.cursor() as cursor:
        cursor.execute(_NEXT)
        (seconds,) = cursor.fetchone()
    return None if seconds is None else float(seconds)
