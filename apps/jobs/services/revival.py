"""Jobs that failed for good: they rest, and revive by themselves after a long delay, or when somebody asks for them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import connection, transaction

from apps.jobs.services.enqueue import dispatcher_wake
from apps.jobs.services.lost_runs import WORKER_LOST
from apps.jobs.services.timing import times

REST_DELAY = "make_interval(secs => (%(rests)s::int[])[LEAST(rests + 1, cardinality(%(rests)s::int[]))])"
"""How long a job rests, in a statement on its row with the parameter `rests`, the delays in seconds."""

# Lost runs are not forgotten: a job that kills its workers gets one run each time it revives.
_REST = f"""
UPDATE jobs_duejob
SET state = 'dead', lease_token = NULL, lease_until = NULL, started_at = NULL, rests = rests + 1,
    losses = LEAST(losses, %(most_losses)s - 1),
    last_error = CASE WHEN last_error = '' THEN %(lost)s ELSE last_error END,
    due_at = statement_timestamp() + {REST_DELAY}
WHERE id = %(id)s AND lease_token = %(token)s AND (attempts >= %(most_attempts)s OR losses >= %(most_losses)s)
"""  # noqa: S608  # the inserted text is a constant
_REVIVE = """
UPDATE jobs_duejob
SET state = 'due', attempts = 0, due_at = statement_timestamp(), deadline_at = statement_timestamp()
WHERE state = 'dead' AND (due_at <= statement_timestamp() OR id = ANY(%s::uuid[]))
"""


def rest_if_exhausted(*, job_id: UUID, token: UUID) -> bool:
    """Let the claimed job rest if all its attempts failed, or too many of its runs were lost."""
    values: dict[str, Any] = {
        "id": job_id,
        "token": token,
        "lost": WORKER_LOST,
        "most_attempts": times().max_attempts,
        "most_losses": times().max_losses,
        "rests": list(times().rest_delays_s),
    }
    with connection.cursor() as cursor:
        cursor.execute(_REST, values)
        return bool(cursor.rowcount)


def jobs_revive(job_ids: list[UUID] | None = None) -> int:
    """Make jobs due whose rest is over, and those named, which need not have rested long; return their number."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(_REVIVE, [job_ids or []])
            revived = cursor.rowcount
        if revived:
            dispatcher_wake()
    return int(revived)
