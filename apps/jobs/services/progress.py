"""Progress of long jobs: what a run has stored counts, even if the run is canceled or lost afterwards."""

from __future__ import annotations

from typing import Any

from django.db import connection

from apps.jobs.services.leases import Lease, LeaseLost
from apps.jobs.timeouts import RUN_COUNT_TIMES

_NOTE = """
WITH noted AS (
    UPDATE jobs_duejob
    SET progressed = TRUE, attempts = 1, losses = 0, rests = 0, last_error = '', done = done + %(done)s,
        waiting = %(waiting)s
    WHERE id = %(id)s AND lease_token = %(token)s
    RETURNING kind
), counted AS (
    INSERT INTO jobs_jobtally (id, kind, at, finished, failed, done)
    SELECT gen_random_uuid(), kind, statement_timestamp(), 0, 0, %(done)s FROM noted WHERE %(done)s > 0
)
SELECT count(*) FROM noted
"""
_PRUNE = "DELETE FROM jobs_jobtally WHERE at < statement_timestamp() - make_interval(secs => %s)"
_PROGRESSED = "SELECT progressed FROM jobs_duejob WHERE id = %s AND lease_token = %s"


def job_progress(lease: Lease, *, done: int = 0, waiting: int | None = None) -> None:
    """Note in a writing transaction that it stores a part of the job's work; raise `LeaseLost` like `lease_fence`.

    Call it in each transaction that stores a part, instead of `lease_fence`. A run that has noted progress is not
    counted as failed when it is canceled at its time limit, and not as lost when its worker dies: the job goes on at
    once with what is left. Earlier failures are forgotten, so that those of a long job do not add up. `done` counts
    items (texts, messages, rows) since the last call; their rate per minute is shown for the kind of job in health and
    console. `waiting` is how many items are left, from which the time of the end is estimated; None if counting them
    would be expensive.
    """
    values: dict[str, Any] = {"id": lease.job_id, "token": lease.token, "done": done, "waiting": waiting}
    with connection.cursor() as cursor:
        cursor.execute(_NOTE, values)
        if not cursor.fetchone()[0]:
            raise LeaseLost(f"{lease.kind} {lease.job_id}")


def run_has_progressed(lease: Lease) -> bool:
    """Return whether the run still holds its lease and has stored a part of its work."""
    with connection.cursor() as cursor:
        cursor.execute(_PROGRESSED, [lease.job_id, lease.token])
        row = cursor.fetchone()
    return bool(row and row[0])


def run_counts_prune() -> None:
    """Delete the counts of runs that no rate or failure rate uses any more."""
    with connection.cursor() as cursor:
        cursor.execute(_PRUNE, [RUN_COUNT_TIMES.retention_s])
