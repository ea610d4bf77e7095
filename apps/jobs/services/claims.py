"""Claims of due jobs: each by one dispatcher, leased until a worker takes it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction

from apps.common.sql import sql_file
from apps.jobs.services.timing import times

_CLAIM = sql_file(Path(__file__).with_name("claim_due.sql"))
# One dispatcher at a time counts the jobs in flight.
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtext('jobs.claim_due'))"
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


def claim_due(most: int, *, slots: int | None = None) -> list[Claim]:
    """Claim up to `most` due jobs, a person's first, so that at most `slots` (WORKER_SLOTS) are in flight.

    Every workspace gets its share: see claim_due.sql.
    """
    values = {
        "most": most,
        "slots": settings.WORKER_SLOTS if slots is None else slots,
        "lease": times().queue_lease_s,
        "aged": times().ages_s,
    }
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(_ONE_AT_A_TIME)
        return _CLAIM.rows(Claim, values)


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
