"""Accesses of memories: recorded without locking the node, and applied by a job.

An access strengthens a memory at most once a day, whenever and however often the job runs.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from uuid import UUID

from django.db import connection
from django.utils import timezone

from apps.accounts.selectors import policy_for_workspace
from apps.common.ids import uuid7s
from apps.common.tenancy import current_workspace_id, workspace
from apps.engine.memory.decay import accessed
from apps.engine.memory.trust import Trust, is_low
from apps.engine.policy import Policy
from apps.jobs.services import Lease, Priority, RescheduleJob, job_progress, job_request_within, lease_fence
from apps.memory.models import MemNode
from apps.memory.records.tree import strength_of

KIND, KEY = "memory_accesses", "tree"
_SOON_S, _AT_LATEST_S = 10, 60
_RUN_S, _BATCH = 10, 2_000
_LOW = [trust.value for trust in Trust if is_low(trust)]
_NOTE = """
INSERT INTO mem_accesses (id, workspace_id, node_id, accessed_at)
SELECT input.id, node.workspace_id, node.id, %(now)s
FROM unnest(%(ids)s::uuid[], %(nodes)s::uuid[]) AS input (id, node_id)
JOIN mem_nodes AS node ON node.workspace_id = %(workspace)s AND node.id = input.node_id
WHERE node.node_type = 'leaf' AND node.archived_at IS NULL AND NOT node.trust = ANY(%(low)s)
"""
_TAKE = """
WITH removed AS (
    DELETE FROM mem_accesses WHERE workspace_id = %(workspace)s AND id IN (
        SELECT id FROM mem_accesses WHERE workspace_id = %(workspace)s ORDER BY id LIMIT %(most)s
    ) RETURNING node_id, accessed_at
)
SELECT node_id, array_agg(accessed_at ORDER BY accessed_at) FROM removed GROUP BY node_id
"""
_COUNT = """
UPDATE mem_nodes AS node
SET base_relevance = input.base, last_access = input.last_access, access_count = access_count + input.more
FROM unnest(%(ids)s::uuid[], %(bases)s::float8[], %(times)s::timestamptz[], %(more)s::int[])
    AS input (id, base, last_access, more)
WHERE node.workspace_id = %(workspace)s AND node.id = input.id
"""


def accesses_add(node_ids: Collection[UUID]) -> None:
    """Record that each node was retrieved now. Directories and archived or low-trust memories are ignored."""
    if not node_ids:
        return
    now, ids = timezone.now(), uuid7s(len(node_ids))
    values = {"workspace": current_workspace_id(), "now": now, "ids": ids, "nodes": list(node_ids), "low": _LOW}
    with connection.cursor() as cursor:
        cursor.execute(_NOTE, values)
        noted = cursor.rowcount
    if noted:
        job_request_within(
            _SOON_S,
            _AT_LATEST_S,
            workspace_id=current_workspace_id(),
            kind=KIND,
            key=KEY,
            priority=Priority.UPKEEP,
        )


def accesses_run(lease: Lease) -> None:
    """Apply recorded accesses for a limited time; raise `RescheduleJob` if more remain."""
    end = time.monotonic() + _RUN_S
    while _count_some(lease):
        if time.monotonic() > end:
            raise RescheduleJob(0)


def _count_some(lease: Lease) -> bool:
    with workspace(lease.workspace_id):
        lease_fence(lease)
        more = accesses_count()
        if more:
            job_progress(lease)
        return more


def accesses_count() -> bool:
    """Apply a batch of the oldest accesses; return whether there were any."""
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, {"workspace": current_workspace_id(), "most": _BATCH})
        removed: dict[UUID, list[datetime]] = dict(cursor.fetchall())
    if removed:
        rows = MemNode.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=removed).order_by("uri", "id")
        _store(rows, removed, policy_for_workspace())
    return bool(removed)


def _store(rows: Collection[MemNode], removed: Mapping[UUID, Sequence[datetime]], policy: Policy) -> None:
    stronger = []
    for row in rows:
        strength = strength_of(row)
        for moment in removed[row.id]:
            strength = accessed(strength, moment.timestamp(), policy)
        stronger.append(
            (row.id, strength.base, datetime.fromtimestamp(strength.last_access, UTC), len(removed[row.id]))
        )
    ids, bases, times, more = zip(*stronger, strict=True) if stronger else ((), (), (), ())
    values = {"ids": list(ids), "bases": list(bases), "times": list(times), "more": list(more)}
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, {"workspace": current_workspace_id(), **values})
