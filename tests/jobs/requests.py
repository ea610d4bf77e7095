"""Shortcuts to request, claim and lease jobs."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from apps.jobs.models import DueJob
from apps.jobs.services import Claim, Lease, Priority, claim_due, job_request, lease_take


def ask(
    workspace_id: UUID,
    kind: str = "test_note",
    key: str = "k",
    in_s: float = 0,
    bound_s: float = 0,
    priority: Priority = Priority.AFTER_TURN,
) -> None:
    """Request a job in some seconds; by default immediately."""
    now = timezone.now()
    due_at, deadline_at = now + timedelta(seconds=in_s), now + timedelta(seconds=max(bound_s, in_s))
    job_request(
        workspace_id=workspace_id, kind=kind, key=key, due_at=due_at, deadline_at=deadline_at, priority=priority
    )


def claim_one() -> Claim:
    (claim,) = claim_due(1)
    return claim


def take(workspace_id: UUID, kind: str = "test_note", key: str = "k") -> Lease:
    """Request, claim and lease a job."""
    ask(workspace_id, kind, key)
    lease = take_claimed()
    assert lease is not None
    return lease


def take_claimed() -> Lease | None:
    """Claim and lease the job that is due."""
    claim = claim_one()
    return lease_take(job_id=claim.job_id, sent_token=claim.token)


def make_due(**changes: object) -> None:
    """Make the only job due."""
    DueJob.objects.update(due_at=timezone.now() - timedelta(seconds=1), **changes)


def make_late() -> None:
    """Postpone every job by a day: what the shared data of a module requested shall not run in each of its tests."""
    later = timezone.now() + timedelta(days=1)
    DueJob.objects.update(due_at=later, deadline_at=later)


def expire_leases() -> None:
    """Expire every lease."""
    DueJob.objects.filter(lease_until__isnull=False).update(lease_until=timezone.now() - timedelta(seconds=1))
