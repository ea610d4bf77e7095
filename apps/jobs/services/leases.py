"""A worker's hold on a job. It is a row's token, not a lock: a worker that is only thought dead is refused when it
comes to write, and no transaction stays open while a model thinks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.db import connection, transaction

from apps.jobs.models import JobState
from apps.jobs.services.enqueue import INSTALLATION, dispatcher_wake
from apps.jobs.services.timing import times

ERROR_LENGTH = 500
WORKER_LOST = "worker_lost"

# The token is swapped: a second delivery of the same message then carries an old one.
_TAKE = """
UPDATE jobs_duejob
SET lease_token = %(mine)s, attempts = attempts + 1,
    lease_until = statement_timestamp() + make_interval(secs => %(lease)s)
WHERE id = %(id)s AND lease_token = %(sent)s AND state = 'due' AND attempts < %(max)s
RETURNING workspace_id, kind, key, generation, attempts
"""
# Every attempt ended without a word: the work kills its workers, so it must not be handed out again.
_BURY = """
UPDATE jobs_duejob SET state = 'dead', last_error = %(lost)s, lease_token = NULL, lease_until = NULL
WHERE id = %(id)s AND lease_token = %(sent)s AND attempts >= %(max)s
"""
_RENEW = """
UPDATE jobs_duejob SET lease_until = statement_timestamp() + make_interval(secs => %s)
WHERE id = %s AND lease_token = %s
"""
_FENCE = "SELECT generation FROM jobs_duejob WHERE id = %s AND lease_token = %s FOR UPDATE"
_DELETE = "DELETE FROM jobs_duejob WHERE id = %s"
# Somebody asked again during the run, which set the new time but could not yet know its deadline.
_RELEASE = """
UPDATE jobs_duejob
SET lease_token = NULL, lease_until = NULL, attempts = 0, last_error = '',
    due_at = LEAST(due_at, statement_timestamp() + make_interval(secs => %s)),
    deadline_at = statement_timestamp() + make_interval(secs => %s)
WHERE id = %s
RETURNING due_at <= statement_timestamp() + interval '1 second'
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
    """Another worker has the job now; what this one found out must not be written."""


@dataclass(frozen=True, slots=True)
class Lease:
    """One attempt at one job. `workspace_id` is INSTALLATION for the installation's own work."""

    job_id: UUID
    workspace_id: UUID
    kind: str
    key: str
    token: UUID
    generation: int
    attempts: int


def lease_take(*, job_id: UUID, sent_token: UUID) -> Lease | None:
    """Begin an attempt with a token of one's own; None if the message was late, repeated, or one too many."""
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
            cursor.execute(_BURY, values)
            return None
    workspace_id, kind, key, generation, attempts = row
    return Lease(job_id, workspace_id or INSTALLATION, kind, key, mine, generation, attempts)


def lease_renew(lease: Lease) -> bool:
    """Hold the job for another while; False if it is no longer ours."""
    with connection.cursor() as cursor:
        cursor.execute(_RENEW, [times().lease_s, lease.job_id, lease.token])
        return bool(cursor.rowcount)


def lease_fence(lease: Lease) -> None:
    """Lock the job's row until the end of the writing transaction, or raise `LeaseLost`."""
    if _locked_generation(lease) is None:
        raise LeaseLost(f"{lease.kind} {lease.job_id}")


def job_complete(lease: Lease, *, debounce_s: float | None = None, max_wait_s: float | None = None) -> bool:
    """Done: the row goes, or waits again if somebody asked for the job meanwhile. False if it was no longer ours.

    Belongs into the transaction that writes the result; a second call does nothing.
    """
    debounce_s = times().debounce_s if debounce_s is None else debounce_s
    max_wait_s = times().max_wait_s if max_wait_s is None else max_wait_s
    with transaction.atomic():
        generation = _locked_generation(lease)
        if generation == lease.generation:
            _execute(_DELETE, lease.job_id)
        elif generation is not None and _execute(_RELEASE, debounce_s, max_wait_s, lease.job_id):
            dispatcher_wake()
    return generation is not None


def job_postpone(lease: Lease, *, seconds: float, max_wait_s: float | None = None) -> None:
    """Not now: the job runs again in a while, and this was no attempt."""
    max_wait_s = times().max_wait_s if max_wait_s is None else max_wait_s
    with transaction.atomic():
        _execute(_POSTPONE, seconds, max(seconds, max_wait_s), lease.job_id, lease.token)
        if seconds < 1:
            dispatcher_wake()


def job_fail(lease: Lease, *, error: str) -> None:
    """Try again later, each time with more distance, or give up visibly; who asked meanwhile begins a new count.

    `error` must not quote anybody's content.
    """
    delay_s = times().retry_delay_s(lease.attempts)
    values: dict[str, Any] = {
        "id": lease.job_id,
        "mine": lease.token,
        "generation": lease.generation,
        "error": error[:ERROR_LENGTH],
        "state": JobState.DEAD if delay_s is None else JobState.DUE,
        "delay": delay_s or 0,
    }
    with connection.cursor() as cursor:
        cursor.execute(_FAIL, values)


def _locked_generation(lease: Lease) -> int | None:
    with connection.cursor() as cursor:
        cursor.execute(_FENCE, [lease.job_id, lease.token])
        row = cursor.fetchone()
    return None if row is None else int(row[0])


def _execute(statement: str, *values: float | UUID) -> bool:
    """Run one statement; True if it returned a row that says yes."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        row = cursor.fetchone() if cursor.description else None
    return bool(row and row[0])
