"""Runs that ended with their worker or its connection: counted apart from failures, and tried again later each time."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid5

from django.db import connection, transaction

from apps.jobs.records import FailureReason
from apps.jobs.services.enqueue import dispatcher_wake
from apps.jobs.services.timing import times

_OF_THE_RUN = "run"

# A lost run that may be repeated at once keeps its claim, if the caller has one. The lock is not waited for: the
# transaction of a killed process may still hold it, and the loss is counted when the lease has expired.
_COUNT = """
WITH lost AS (
    SELECT id, kind, (%(delays)s::int[])[losses + 1] AS delay FROM jobs_duejob
    WHERE id = %(id)s AND lease_token = %(token)s AND started_at IS NOT NULL AND state = 'due'
    FOR UPDATE SKIP LOCKED
), counted AS (
    INSERT INTO jobs_jobtally (id, kind, at, finished, failed, done)
    SELECT gen_random_uuid(), kind, statement_timestamp(), 0, 1, 0 FROM lost
)
UPDATE jobs_duejob AS job
SET losses = losses + 1, attempts = GREATEST(attempts - 1, 0), started_at = NULL, last_error = %(error)s,
    lease_token = CASE WHEN %(is_claim)s AND coalesce(lost.delay, 0) = 0 THEN lease_token END,
    lease_until = CASE WHEN %(is_claim)s AND coalesce(lost.delay, 0) = 0 THEN lease_until END,
    due_at = statement_timestamp() + make_interval(secs => coalesce(lost.delay, 0))
FROM lost
WHERE job.id = lost.id
"""


def token_of_run(sent_token: UUID) -> UUID:
    """Return the token of the run that a claim's token starts, so that whoever sent the claim can name the run."""
    return uuid5(sent_token, _OF_THE_RUN)


def lost_run_count(
    *, job_id: UUID, token: UUID, error: FailureReason = FailureReason.WORKER_LOST, is_claim: bool = False
) -> bool:
    """Count the run that holds the token as lost, and make the job due after a delay; return whether there was one.

    With `is_claim`, the token is that of a later claim, which remains valid if the job may run again at once.
    """
    values: dict[str, Any] = {
        "id": job_id,
        "token": token,
        "error": error,
        "is_claim": is_claim,
        "delays": list(times().lost_run_delays_s),
    }
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(_COUNT, values)
            is_counted = bool(cursor.rowcount)
        if is_counted:
            dispatcher_wake()
    return is_counted
