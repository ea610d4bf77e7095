"""Leases of jobs. A lease is a token in the row, not a lock: a worker whose lease expired is rejected when it
writes, and no transaction stays open during a model call.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from apps.jobs.services.enqueue import CHANNEL, INSTALLATION, dispatcher_wake
from apps.jobs.services.lost_runs import lost_run_count, token_of_run
from apps.jobs.services.requeue import REQUEUE_DELAY, fail_if_exhausted
from apps.jobs.services.timing import times

ERROR_LENGTH = 500

# The token is replaced, so that a second delivery of the same message has an outdated one.
_TAKE = """
UPDATE jobs_duejob
SET lease_token = %(mine)s, attempts = attempts + 1, started_at = statement_timestamp(), progressed = FALSE,
    lease_until = statement_timestamp() + make_interval(secs => %(lease)s)
WHERE id = %(id)s AND lease_token = %(sent)s AND state = 'due' AND started_at IS NULL
    AND attempts < %(most_attempts)s AND losses < %(most_lost_runs)s
RETURNING workspace_id, kind, key, priority, generation, attempts, losses
"""
_LEASED = """
SELECT workspace_id, kind, key, priority, generation, attempts, losses FROM jobs_duejob
WHERE id = %s AND lease_token = %s AND started_at IS NOT NULL
"""
_RENEW = """
UPDATE jobs_duejob SET lease_until = statement_timestamp() + make_interval(secs => %s)
WHERE id = %s AND lease_token = %s
"""
_FENCE = "SELECT generation FROM jobs_duejob WHERE id = %s AND lease_token = %s FOR UPDATE"
_DELETE = """
WITH done AS (
    DELETE FROM jobs_duejob WHERE id = %(id)s RETURNING kind
), counted AS (
    INSERT INTO jobs_jobtally (id, kind, at, finished, failed, done)
    SELECT gen_random_uuid(), kind, statement_timestamp(), 1, 0, 0 FROM done
)
SELECT pg_notify(%(channel)s, '') FROM done
"""
# The job was requested again during the run, which set a new time but not yet its deadline.
_RELEASE = """
WITH done AS (
    UPDATE jobs_duejob
    SET lease_token = NULL, lease_until = NULL, started_at = NULL, attempts = 0, losses = 0, rests = 0,
        last_error = '', done = 0, waiting = NULL,
        due_at = LEAST(due_at, statement_timestamp() + make_interval(secs => %s)),
        deadline_at = statement_timestamp() + make_interval(secs => %s)
    WHERE id = %s
    RETURNING kind
)
INSERT INTO jobs_jobtally (id, kind, at, finished, failed, done)
SELECT gen_random_uuid(), kind, statement_timestamp(), 1, 0, 0 FROM done
"""
_POSTPONE = """
UPDATE jobs_duejob
SET lease_token = NULL, lease_until = NULL, started_at = NULL, attempts = GREATEST(attempts - 1, 0), losses = 0,
    due_at = statement_timestamp() + make_interval(secs => %s),
    deadline_at = statement_timestamp() + make_interval(secs => %s)
WHERE id = %s AND lease_token = %s
"""
# The row counts the attempts, since progress of this run has reset them. The job has failed if this was the
# last one, unless it was requested again during the run.
_FAIL = f"""
WITH failed AS (
    SELECT id, kind, generation <> %(generation)s AS is_wanted_again, (%(delays)s::int[])[attempts] AS delay
    FROM jobs_duejob WHERE id = %(id)s AND lease_token = %(mine)s FOR UPDATE
), counted AS (
    INSERT INTO jobs_jobtally (id, kind, at, finished, failed, done)
    SELECT gen_random_uuid(), kind, statement_timestamp(), 0, 1, 0 FROM failed
)
UPDATE jobs_duejob AS job
SET lease_token = NULL, lease_until = NULL, started_at = NULL, last_error = %(error)s,
    state = CASE WHEN delay IS NULL AND NOT is_wanted_again THEN 'dead' ELSE 'due' END,
    rests = CASE WHEN delay IS NULL AND NOT is_wanted_again THEN rests + 1 ELSE rests END,
    attempts = CASE WHEN is_wanted_again THEN 0 ELSE attempts END,
    due_at = statement_timestamp() + CASE WHEN delay IS NULL AND NOT is_wanted_again THEN {REQUEUE_DELAY}
        ELSE make_interval(secs => coalesce(delay, 0)) END
FROM failed
WHERE job.id = failed.id
"""  # noqa: S608  # the inserted text is a constant


class LeaseLost(Exception):
    """Another worker has taken over the job; this one must not write its result."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A lease for one attempt at a job. `workspace_id` is INSTALLATION for the installation's jobs.

    `attempts` counts this run and the failures before it; `lost_runs` the runs without progress that were lost.
    """

    job_id: UUID
    workspace_id: UUID
    kind: str
    key: str
    priority: int
    token: UUID
    generation: int
    attempts: int
    lost_runs: int = 0


def lease_take(*, job_id: UUID, sent_token: UUID) -> Lease | None:
    """Start a run under a new token; return None if the message is late or repeated, or the job waits or has failed.

    The row of a lost run still names its start: that run is counted first.
    """
    lease = _take(job_id, sent_token)
    if lease is None and lost_run_count(job_id=job_id, token=sent_token, is_claim=True):
        lease = _take(job_id, sent_token)
    if lease is None:
        fail_if_exhausted(job_id=job_id, token=sent_token)
    return lease


def _take(job_id: UUID, sent_token: UUID) -> Lease | None:
    mine = token_of_run(sent_token)
    values: dict[str, Any] = {
        "id": job_id,
        "sent": sent_token,
        "mine": mine,
        "most_attempts": times().max_attempts,
        "most_lost_runs": times().max_lost_runs,
        "lease": times().lease_s,
    }
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, values)
        row = cursor.fetchone()
    return _lease(job_id, mine, row) if row else None


def lease_of_run(*, job_id: UUID, sent_token: UUID) -> Lease | None:
    """Return the lease of the run that a claim's token started, if the run still holds it."""
    mine = token_of_run(sent_token)
    with connection.cursor() as cursor:
        cursor.execute(_LEASED, [job_id, mine])
        row = cursor.fetchone()
    return _lease(job_id, mine, row) if row else None


def _lease(job_id: UUID, token: UUID, row: tuple[Any, ...]) -> Lease:
    workspace_id, kind, key, priority, generation, attempts, lost_runs = row
    return Lease(job_id, workspace_id or INSTALLATION, kind, key, priority, token, generation, attempts, lost_runs)


def lease_renew(lease: Lease) -> bool:
    """Extend the lease; return False if it is lost."""
    with connection.cursor() as cursor:
        cursor.execute(_RENEW, [times().lease_s, lease.job_id, lease.token])
        return bool(cursor.rowcount)


def lease_fence(lease: Lease) -> None:
    """Lock the job's row until the end of the writing transaction, or raise `LeaseLost`."""
    if _locked_generation(lease) is None:
        raise LeaseLost(f"{lease.kind} {lease.job_id}")


def job_complete(lease: Lease, *, debounce_s: float | None = None, max_wait_s: float | None = None) -> bool:
    """Delete the job, or make it due again if it was requested during the run. Return False if the lease is lost.

    Call it in the transaction that writes the result; a second call has no effect.
    """
    debounce_s = times().debounce_s if debounce_s is None else debounce_s
    max_wait_s = times().max_wait_s if max_wait_s is None else max_wait_s
    with transaction.atomic():
        generation = _locked_generation(lease)
        if generation == lease.generation:
            _delete(lease.job_id)
        elif generation is not None:
            _execute(_RELEASE, debounce_s, max_wait_s, lease.job_id)
            dispatcher_wake()
    return generation is not None


def job_postpone(lease: Lease, *, seconds: float, max_wait_s: float | None = None) -> None:
    """Run the job again after `seconds` without counting this attempt."""
    max_wait_s = times().max_wait_s if max_wait_s is None else max_wait_s
    with transaction.atomic():
        _execute(_POSTPONE, seconds, max(seconds, max_wait_s), lease.job_id, lease.token)
        dispatcher_wake()


def job_fail(lease: Lease, *, error: str, retry: bool = True, may_end: bool = True) -> None:
    """Retry with back-off, until the last attempt; a request during the run resets the attempts.

    `error` must not contain user content. Without `may_end`, the next worker to take the job marks it as failed.
    """
    delays = times().retry_delays_s if retry else ()
    values: dict[str, Any] = {
        "id": lease.job_id,
        "mine": lease.token,
        "generation": lease.generation,
        "error": error[:ERROR_LENGTH],
        "delays": [*delays] if may_end else [*delays, 0],
        "requeue": list(times().requeue_delays_s),
    }
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(_FAIL, values)
        dispatcher_wake()


def _locked_generation(lease: Lease) -> int | None:
    with connection.cursor() as cursor:
        cursor.execute(_FENCE, [lease.job_id, lease.token])
        row = cursor.fetchone()
    return None if row is None else int(row[0])


def _delete(job_id: UUID) -> None:
    """Delete the job; its worker is free, so wake the dispatchers when this commits."""
    with connection.cursor() as cursor:
        cursor.execute(_DELETE, {"id": job_id, "channel": CHANNEL})


def _execute(statement: str, *values: float | UUID) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
