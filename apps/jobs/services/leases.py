"""Leases of jobs. A lease is a token in the row, not a lock: a worker whose lease expired is rejected when it
writes, and no transaction stays open during a model call.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.db import connection, transaction

from apps.jobs.models import JobState
from apps.jobs.services.enqueue import CHANNEL, INSTALLATION, dispatcher_wake
from apps.jobs.services.timing import times

ERROR_LENGTH = 500
WORKER_LOST = "worker_lost"
OUT_OF_MEMORY = "out_of_memory"

# The token is replaced, so that a second delivery of the same message has an outdated one.
_TAKE = """
UPDATE jobs_duejob
SET lease_token = %(mine)s, attempts = attempts + 1,
    lease_until = statement_timestamp() + make_interval(secs => %(lease)s)
WHERE id = %(id)s AND lease_token = %(sent)s AND state = 'due' AND attempts < %(max)s
RETURNING workspace_id, kind, key, priority, generation, attempts
"""
# Every attempt ended without a result: the job kills its workers and must not run again.
_MARK_DEAD = """
UPDATE jobs_duejob SET state = 'dead', last_error = %(lost)s, lease_token = NULL, lease_until = NULL
WHERE id = %(id)s AND lease_token = %(sent)s AND attempts >= %(max)s
"""
_RENEW = """
UPDATE jobs_duejob SET lease_until = statement_timestamp() + make_interval(secs => %s)
WHERE id = %s AND lease_token = %s
"""
_FENCE = "SELECT generation FROM jobs_duejob WHERE id = %s AND lease_token = %s FOR UPDATE"
_DELETE = """
WITH done AS (DELETE FROM jobs_duejob WHERE id = %(id)s RETURNING id)
SELECT pg_notify(%(channel)s, '') FROM done
"""
# The job was requested again during the run, which set a new time but not yet its deadline.
_RELEASE = """
UPDATE jobs_duejob
SET lease_token = NULL, lease_until = NULL, attempts = 0, last_error = '',
    due_at = LEAST(due_at, statement_timestamp() + make_interval(secs => %s)),
    deadline_at = statement_timestamp() + make_interval(secs => %s)
WHERE id = %s
"""
_POSTPONE = """
UPDATE jobs_duejob
SET lease_token = NULL, lease_until = NULL, attempts = GREATEST(attempts - 1, 0),
    due_at = statement_timestamp() + make_interval(secs => %s),
    deadline_at = statement_timestamp() + make_interval(secs => %s)
WHERE id = %s AND lease_token = %s
"""
_FAIL = """
UPDATE jobs_duejob
SET lease_token = NULL, lease_until = NULL, last_error = %(error)s,
    state = CASE WHEN generation = %(generation)s THEN %(state)s ELSE 'due' END,
    attempts = CASE WHEN generation = %(generation)s THEN attempts ELSE 0 END,
    due_at = statement_timestamp() + make_interval(secs => %(delay)s)
WHERE id = %(id)s AND lease_token = %(mine)s
"""


class LeaseLost(Exception):
    """Another worker has taken over the job; this one must not write its result."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A lease for one attempt at a job. `workspace_id` is INSTALLATION for the installation's jobs."""

    job_id: UUID
    workspace_id: UUID
    kind: str
    key: str
    priority: int
    token: UUID
    generation: int
    attempts: int


def lease_take(*, job_id: UUID, sent_token: UUID) -> Lease | None:
    """Start an attempt under a new token; return None if the message is late, repeated, or out of attempts."""
    mine = uuid4()
    values: dict[str, Any] = {
        "id": job_id,
        "sent": sent_token,
        "mine": mine,
        "max": times().max_attempts,
        "lease": times().lease_s,
        "lost": WORKER_LOST,
    }
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, values)
        row = cursor.fetchone()
        if row is None:
            cursor.execute(_MARK_DEAD, values)
            return None
    workspace_id, kind, key, priority, generation, attempts = row
    return Lease(job_id, workspace_id or INSTALLATION, kind, key, priority, mine, generation, attempts)


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


def job_fail(lease: Lease, *, error: str, retry: bool = True) -> None:
    """Retry with back-off, or mark the job dead; a request during the run resets the attempts.

    `error` must not contain user content.
    """
    delay_s = times().retry_delay_s(lease.attempts) if retry else None
    values: dict[str, Any] = {
        "id": lease.job_id,
        "mine": lease.token,
        "generation": lease.generation,
        "error": error[:ERROR_LENGTH],
        "state": JobState.DEAD if delay_s is None else JobState.DUE,
        "delay": delay_s or 0,
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
