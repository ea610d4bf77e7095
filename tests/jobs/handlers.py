"""Job handlers for tests. Each run inserts a row, so that any process can count them."""

from __future__ import annotations

import time
from datetime import timedelta

from billiard.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError, connection
from django.utils import timezone

from apps.common.errors import Conflict
from apps.jobs.models import DueJob, Schedule
from apps.jobs.records import JobFailure
from apps.jobs.services import Lease, RescheduleJob, job_progress, job_request, lease_fence


def runs(key: str) -> int:
    """Return the number of runs of the job with this key."""
    return Schedule.objects.filter(kind=f"ran {key}").count()


def note(lease: Lease) -> None:
    Schedule.objects.create(kind=f"ran {lease.key}", period=timezone.now())


def note_backend(lease: Lease) -> None:
    """Record the PostgreSQL backend of the job's connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        Schedule.objects.create(kind=f"backend {cursor.fetchone()[0]}", period=timezone.now())


def backends() -> list[int]:
    """Return the backends of all runs, in order."""
    rows = Schedule.objects.filter(kind__startswith="backend ").order_by("period")
    return [int(kind.split()[1]) for kind in rows.values_list("kind", flat=True)]


def fail(lease: Lease) -> None:
    note(lease)
    raise Conflict("A text that nobody may find in a log.", code="on_purpose")


def away(lease: Lease) -> None:
    """Lose the database in the middle of the run, like a server that restarts."""
    note(lease)
    raise OperationalError("the connection is closed")


def time_out(lease: Lease) -> None:
    """Reach the time limit without a result."""
    note(lease)
    raise SoftTimeLimitExceeded(35)


def time_out_later(lease: Lease) -> None:
    """Reach the time limit after a part of the work was stored."""
    job_progress(lease, done=100, waiting=900)
    time_out(lease)


def later(lease: Lease) -> None:
    note(lease)
    raise RescheduleJob(60)


def ask_again(lease: Lease) -> None:
    """Request the job again during its run, like an arriving message."""
    note(lease)
    now = timezone.now()
    job_request(
        workspace_id=lease.workspace_id,
        kind=lease.kind,
        key=lease.key,
        due_at=now + timedelta(seconds=5),
        deadline_at=now + timedelta(seconds=30),
    )


def lose_lease(lease: Lease) -> None:
    """Lose the lease, like a worker that stalled too long."""
    DueJob.objects.filter(pk=lease.job_id).update(lease_token=lease.job_id)
    lease_fence(lease)
    note(lease)


def given_up(failure: JobFailure) -> None:
    Schedule.objects.create(kind=f"{failure.key} failed {failure.times} times: {failure.reason}", period=timezone.now())


def failures() -> list[str]:
    """Return what `given_up` was called with."""
    rows = Schedule.objects.filter(kind__contains=" failed ").order_by("period")
    return list(rows.values_list("kind", flat=True))


def sleep(lease: Lease) -> None:
    """Hang in the first run, and return at once in later ones."""
    note(lease)
    if lease.attempts + lease.lost_runs == 1:
        time.sleep(60)
