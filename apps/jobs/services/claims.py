"""Claims of due jobs: each by one dispatcher, leased while its message may wait in the queue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from apps.jobs.services.timing import times

# Only the head of the queue is scanned. That bounds the scan and the number of messages in flight,
# so that a backlog does not pile up in the broker and expire there.
_QUEUE_HEAD = 200
_CLAIM = """
WITH front AS MATERIALIZED (
    SELECT id FROM jobs_duejob WHERE state = 'due' AND due_at <= statement_timestamp() ORDER BY due_at LIMIT %(front)s
), picked AS MATERIALIZED (
    SELECT id FROM jobs_duejob
    WHERE id IN (SELECT id FROM front) AND state = 'due' AND due_at <= statement_timestamp()
        AND (lease_until IS NULL OR lease_until < statement_timestamp())
    ORDER BY due_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED
)
UPDATE jobs_duejob AS job
SET lease_token = gen_random_uuid(), lease_until = statement_timestamp() + make_interval(secs => %(lease)s)
FROM picked WHERE job.id = picked.id
RETURNING job.id, job.lease_token
"""
_CLAIM_NAMED = """
UPDATE jobs_duejob
SET lease_token = gen_random_uuid(), lease_until = statement_timestamp() + make_interval(secs => %(lease)s)
WHERE workspace_id = %(workspace)s AND kind = %(kind)s AND key = %(key)s AND state = 'due'
    AND (lease_until IS NULL OR lease_until < statement_timestamp())
RETURNING id, lease_token
"""
_RELEASE = "UPDATE jobs_duejob SET lease_token = NULL, lease_until = NULL WHERE id = %s AND lease_token = %s"


@dataclass(frozen=True, slots=True)
class Claim:
    """A claimed job; the first worker to present the token runs it."""

    job_id: UUID
    token: UUID


def claim_due(limit: int) -> list[Claim]:
    """Claim up to `limit` due jobs, longest due first; skip rows locked by other dispatchers."""
    values = {"front": _QUEUE_HEAD, "limit": limit, "lease": times().queue_lease_s}
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, values)
        return [Claim(job_id, token) for job_id, token in cursor.fetchall()]


def claim_named(*, workspace_id: UUID, kind: str, key: str) -> Claim | None:
    """Claim this job even before it is due; return None if it is leased or was not requested."""
    values: dict[str, Any] = {"workspace": workspace_id, "kind": kind, "key": key, "lease": times().queue_lease_s}
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM_NAMED, values)
        row = cursor.fetchone()
    return Claim(*row) if row else None


def claim_release(claim: Claim) -> None:
    """Release a claim that could not be submitted; no effect once a worker has taken it."""
    with connection.cursor() as cursor:
        cursor.execute(_RELEASE, [claim.job_id, claim.token])
