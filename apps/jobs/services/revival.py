"""Jobs that failed for good: they rest, and revive by themselves after a long delay, or when somebody asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from apps.jobs.records import FailureReason
from apps.jobs.services.enqueue import dispatcher_wake
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
"""
_RESTED = f"{_REVIVE} WHERE state = 'dead' AND due_at <= statement_timestamp()"
_NAMED = f"""{_REVIVE}, lease_token = NULL, lease_until = NULL
WHERE id = ANY(%s::uuid[]) AND (lease_until IS NULL OR lease_until < statement_timestamp())
"""


def rest_if_exhausted(*, job_id: UUID, token: UUID) -> bool:
    """Let the claimed job rest if all its attempts failed, or too many of its runs were lost."""
    values: dict[str, Any] = {
        "id": job_id,
        "token": token,
        "lost": FailureReason.WORKER_LOST,
        "most_attempts": times().max_attempts,
        "most_losses": times().max_losses,
        "rests": list(times().rest_delays_s),
    }
    with connection.cursor() as cursor:
        cursor.execute(_REST, values)
        return bool(cursor.rowcount)


def jobs_revive() -> int:
    """Make jobs due that have rested; return their number."""
    return _revive(_RESTED)


def jobs_run_now(job_ids: Sequence[UUID]) -> int:
    """Make these jobs due, whether they rest or wait for their time; return how many were not running."""
    return _revive(_NAMED, list(job_ids))


def _revive(statement: str, *values: list[UUID]) -> int:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(statement, values)
            revived = cursor.rowcount
        if revived:
            dispatcher_wake()
    return int(revived)
