"""Failed jobs, whose attempts are used up: requeued after hours, or when somebody requests them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from apps.jobs.records import FailureReason
from apps.jobs.services.enqueue import dispatcher_wake
from apps.jobs.services.timing import times

REQUEUE_DELAY = "make_interval(secs => (%(requeue)s::int[])[LEAST(rests + 1, cardinality(%(requeue)s::int[]))])"
"""How long a failed job waits, in a statement on its row with the parameter `requeue`, the delays in seconds."""

# Lost runs still count afterwards: a job that kills its workers gets one run each time it is requeued.
_FAIL = f"""
UPDATE jobs_duejob
SET state = 'dead', lease_token = NULL, lease_until = NULL, started_at = NULL, rests = rests + 1,
    losses = LEAST(losses, %(most_lost_runs)s - 1),
    last_error = CASE WHEN last_error = '' THEN %(lost)s ELSE last_error END,
    due_at = statement_timestamp() + {REQUEUE_DELAY}
WHERE id = %(id)s AND lease_token = %(token)s AND (attempts >= %(most_attempts)s OR losses >= %(most_lost_runs)s)
"""  # noqa: S608  # the inserted text is a constant
_REQUEUE = """
UPDATE jobs_duejob
SET state = 'due', attempts = 0, due_at = statement_timestamp(), deadline_at = statement_timestamp()
"""
_FAILED = f"{_REQUEUE} WHERE state = 'dead' AND due_at <= statement_timestamp()"
_NAMED = f"""{_REQUEUE}, lease_token = NULL, lease_until = NULL
WHERE id = ANY(%s::uuid[]) AND (lease_until IS NULL OR lease_until < statement_timestamp())
"""


def fail_if_exhausted(*, job_id: UUID, token: UUID) -> bool:
    """Mark the claimed job as failed if its attempts are used up, or too many of its runs were lost."""
    values: dict[str, Any] = {
        "id": job_id,
        "token": token,
        "lost": FailureReason.WORKER_LOST,
        "most_attempts": times().max_attempts,
        "most_lost_runs": times().max_lost_runs,
        "requeue": list(times().requeue_delays_s),
    }
    with connection.cursor() as cursor:
        cursor.execute(_FAIL, values)
        return bool(cursor.rowcount)


def jobs_requeue() -> int:
    """Make failed jobs due whose delay is over; return their number."""
    return _requeue(_FAILED)


def jobs_run_now(job_ids: Sequence[UUID]) -> int:
    """Make these jobs due, whether they failed or wait for their time; return how many were not running."""
    return _requeue(_NAMED, list(job_ids))


def _requeue(statement: str, *values: list[UUID]) -> int:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(statement, values)
            requeued = cursor.rowcount
        if requeued:
            dispatcher_wake()
    return int(requeued)
