"""The job for abstracts and overviews: it derives missing ones, recompiles directories, and has a model rewrite some.

A model is called only for memories written one by one, and only if the budget allows; otherwise the extractive texts
remain. The model's text is stored as a revision; a directory's text is derived from its content and has none.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from uuid import UUID

from django.db.models import F

from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import current_workspace_id, workspace
from apps.engine.memory.directory_tiers import directory_abstract, directory_overview
from apps.engine.policy import Policy
from apps.jobs.services import Lease, RescheduleJob, job_progress, lease_fence
from apps.llm.providers.offline import OFFLINE_MODEL
from apps.memory.models import MemNode, NodeType, Operation
from apps.memory.selectors.listings import listed_entries
from apps.memory.services.events import memory_announce
from apps.memory.services.tiers.preferences_overview import overviews_create, overviews_invalidate
from apps.memory.services.tiers.tier_model_job import tiers_improve, tiers_settle, unlocked_rows
from apps.memory.services.tree.change_sets import Cause, Change
from apps.memory.services.tree.content_tiers import tiers_complete
from apps.memory.services.tree.node_snapshot import PERSON
from apps.memory.services.tree.node_storage import directories_invalidate

FIRST_REASON = "First abstract and overview."
_RUN_S, _SOON_S = 10, 1
_MISSING, _DIRECTORIES = 20, 20


def tiers_run(lease: Lease) -> None:
    """Work for a limited time; raise `RescheduleJob` if work remains."""
    end = time.monotonic() + _RUN_S
    with workspace(lease.workspace_id):
        policy = policy_for_workspace()
    for work in (_derive_missing, overviews_create, _compile, tiers_settle, tiers_improve):
        while work(lease, policy):
            if time.monotonic() > end:
                raise RescheduleJob(0)


def _derive_missing(lease: Lease, policy: Policy) -> bool:
    """Derive abstracts for a batch of memories without one (created before the tree existed)."""
    with workspace(lease.workspace_id):
        lease_fence(lease)
        missing = MemNode.objects.exclude(tiers_of=F("content_hash")).filter(node_type=NodeType.LEAF, tiers_by="")
        names = list(missing.values_list("pk", flat=True)[:_MISSING])
        rows = list(unlocked_rows().filter(pk__in=names, tiers_by=""))
        change = Change(Cause(Operation.EDIT, None, reason=FIRST_REASON, made_by=OFFLINE_MODEL))
        for row in rows:
            change.open(row)
            tiers_complete(row)
        change.store()
        if rows:
            job_progress(lease, done=len(rows))
    return _all_of(names, rows)


def _compile(lease: Lease, policy: Policy) -> bool:
    """Recompile a batch of directories, the deepest first, since their parents summarize them."""
    with workspace(lease.workspace_id):
        lease_fence(lease)
        stale = MemNode.objects.exclude(tiers_of=F("content_hash")).filter(node_type=NodeType.DIRECTORY)
        names = list(stale.order_by("-uri").values_list("pk", flat=True)[:_DIRECTORIES])
        rows = list(unlocked_rows().filter(pk__in=names))
        changed = [row for row in reversed(rows) if _compiled(row)]
        overviews_invalidate(rows)
        directories_invalidate({row.parent_id for row in changed if row.parent_id})
        if changed:
            memory_announce(workspace_id=current_workspace_id(), rows=changed)
        if rows:
            job_progress(lease, done=len(rows))
    return _all_of(names, rows)


def _all_of(names: Sequence[UUID], rows: Sequence[MemNode]) -> bool:
    """Return whether there was work; raise `RescheduleJob` if some rows are locked by writers."""
    if len(rows) < len(names):
        raise RescheduleJob(_SOON_S)
    return bool(names)


def _compiled(row: MemNode) -> bool:
    """Recompile a directory; return whether its abstract, which the parent contains, changed."""
    before = row.l0_abstract
    row.tiers_of = row.content_hash
    if row.tiers_by != PERSON:
        entries, more = listed_entries(row)
        row.l0_abstract, row.l1_overview = directory_abstract(entries), directory_overview(entries, more)
        row.tiers_by = OFFLINE_MODEL
    row.save(update_fields=["tiers_of", "l0_abstract", "l1_overview", "tiers_by"])
    return row.l0_abstract != before
