"""Automatic archiving of long-unused memories, if the workspace enables it; except those written by users."""

from __future__ import annotations

import time
from datetime import timedelta

from django.utils import timezone

from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import workspace
from apps.engine.memory.categories import RELATIONAL_PROFILE
from apps.engine.memory.trust import Arrival, Trust
from apps.jobs.services import Lease, RescheduleJob, job_progress, lease_fence
from apps.memory.models import MemNode, NodeType, Operation
from apps.memory.selectors.tree_locks import trees_share
from apps.memory.services.tree.archive import rows_archive
from apps.memory.services.tree.change_sets import Cause, Change

MADE_BY = "memory_archive"
_BATCH = 500
_RUN_S = 10


def archive_run(lease: Lease) -> None:
    """Archive stale memories in batches; raise `RescheduleJob` if there is more."""
    end = time.monotonic() + _RUN_S
    with workspace(lease.workspace_id):
        days = policy_for_workspace().memory_archive_after_days
    while days and _archive_some(lease, days):
        if time.monotonic() > end:
            raise RescheduleJob(0)


def _archive_some(lease: Lease, days: int) -> bool:
    with workspace(lease.workspace_id):
        lease_fence(lease)
        more = stale_archive(days=days)
        if more:
            job_progress(lease)
        return more


def stale_archive(*, days: int) -> bool:
    """Archive a batch of stale memories in one change; return whether there were any.

    A memory decays from the fact's date, but is archived only if it has existed unchanged for the same time.
    """
    before = timezone.now() - timedelta(days=days)
    reason = f"Not used for {days:,} days."
    change = Change(Cause(Operation.ARCHIVE, None, reason=reason, made_by=MADE_BY))
    due = MemNode.objects.filter(
        node_type=NodeType.LEAF,
        arrival=Arrival.ACCEPTED.value,
        archived_at__isnull=True,
        last_access__lt=before,
        created_at__lt=before,
        updated_at__lt=before,
    )
    due = due.exclude(trust=Trust.DIRECT_USER.value).exclude(uri=RELATIONAL_PROFILE.text)
    ids = list(due.order_by("last_access").values_list("pk", flat=True)[:_BATCH])
    trees_share(MemNode.objects.filter(pk__in=ids).values_list("owner_id", flat=True).distinct())
    stale = MemNode.objects.select_for_update(no_key=True).filter(pk__in=ids, archived_at__isnull=True)
    rows_archive(change, stale.order_by("uri", "id"))
    return change.store()
