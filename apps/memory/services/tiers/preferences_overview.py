"""The directory whose overview is compiled from a person's preferences; the preferences themselves are elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from apps.common.tenancy import workspace
from apps.engine.memory.categories import PREFERENCES_OVERVIEW, Category
from apps.engine.memory.trust import Trust
from apps.engine.policy import Policy
from apps.jobs.services import Lease
from apps.llm.providers.offline import OFFLINE_MODEL
from apps.memory.models import MemNode, NodeType, Operation
from apps.memory.selectors.listings import PREFERENCES_ROOT
from apps.memory.services.tree.change_sets import Cause, Change
from apps.memory.services.tree.create import node_insert
from apps.memory.services.tree.delete_permanently import Tombstones
from apps.memory.services.tree.node_drafts import NodeDraft, Origin
from apps.memory.services.tree.node_storage import STALE, directories_invalidate
from apps.memory.services.tree.paths import parents_ensure

_REASON = "Overview of the preferences."


def overviews_create(lease: Lease, policy: Policy) -> bool:
    """Create the overviews of people who have preferences to list and no overview yet.

    A unit of its own, which does not lock the job's row: a writer that it waits for requests this job.
    """
    with workspace(lease.workspace_id):
        stale = MemNode.objects.filter(uri=PREFERENCES_ROOT.text, tiers_of=STALE, node_type=NodeType.DIRECTORY)
        owners = set(stale.values_list("owner_id", flat=True))
        known = MemNode.objects.filter(uri=PREFERENCES_OVERVIEW.text, owner_id__in=owners)
        for owner_id in owners - set(known.values_list("owner_id", flat=True)):
            _create(owner_id)
    return False


def overviews_invalidate(rows: Iterable[MemNode]) -> None:
    """Mark the overviews of the preferences in these directories as stale."""
    owners = {row.owner_id for row in rows if row.category == Category.PREFERENCES}
    overviews = MemNode.objects.filter(uri=PREFERENCES_OVERVIEW.text, owner_id__in=owners)
    directories_invalidate(overviews.values_list("id", flat=True))


def _create(owner_id: UUID) -> None:
    """A permanently deleted overview does not return."""
    if Tombstones(owner_id, [PREFERENCES_OVERVIEW], ()).matches(
        PREFERENCES_OVERVIEW, "", [above.text for above in PREFERENCES_OVERVIEW.ancestors]
    ):
        return
    change = Change(Cause(Operation.CREATE, None, _REASON, OFFLINE_MODEL))
    parents = parents_ensure(change, owner_id, [PREFERENCES_OVERVIEW])
    draft = NodeDraft(PREFERENCES_OVERVIEW, is_directory=True)
    row = node_insert(draft, owner_id, parents, change.cause, Origin(Trust.MODEL_INFERENCE))
    change.made(row)
    change.store()
