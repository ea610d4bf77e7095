"""Merging of memories into one of them; the others are archived with a link to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID

from apps.accounts.actors import Actor
from apps.engine.memory.tree import MergePlan
from apps.memory.models import MemNode, Operation
from apps.memory.records.tree import MergePreview, NodeRecord
from apps.memory.selectors.nodes import nodes_rows, require_writable, sources_of
from apps.memory.selectors.tree import node_get
from apps.memory.selectors.tree_locks import nodes_lock
from apps.memory.services.tree.archive import rows_archive
from apps.memory.services.tree.change_sets import Cause, Change
from apps.memory.services.tree.content_tiers import tiers_of_content
from apps.memory.services.tree.merge_plans import merge_plan
from apps.memory.services.tree.node_checks import content_check, require_current
from apps.memory.services.tree.node_snapshot import derive


def nodes_merge(
    actor: Actor,
    *,
    target_id: UUID,
    source_ids: Sequence[UUID],
    version: int | None,
    content: str | None = None,
    reason: str = "",
) -> NodeRecord:
    """Merge into the given version of the target, which gets the combined content, or the given `content`."""
    nodes = nodes_lock(actor, [target_id, *source_ids])
    require_writable(actor, list(nodes.values()))
    target, sources = nodes[target_id], [nodes[source_id] for source_id in source_ids]
    require_current(target, version)
    change = Change(Cause(Operation.MERGE, actor.user_id, reason))
    rows_merge(change, target, sources, content)
    change.store()
    return node_get(actor, target_id)


def rows_merge(change: Change, target: MemNode, sources: Sequence[MemNode], content: str | None) -> None:
    """Merge rows into the target and archive them. The caller has locked them and stores the change."""
    plan = merge_plan(target, sources)
    _take_up(change, target, sources, plan, plan.content if content is None else content)
    rows_archive(change, sources)
    for row in sources:
        row.merged_into_id = target.id


def nodes_merge_preview(actor: Actor, *, target_id: UUID, source_ids: Sequence[UUID]) -> MergePreview:
    """Preview the target after `nodes_merge`. Nothing is written or locked."""
    nodes = nodes_rows(actor, [target_id, *source_ids])
    require_writable(actor, list(nodes.values()))
    plan = merge_plan(nodes[target_id], [nodes[source_id] for source_id in source_ids])
    return MergePreview(plan.content, plan.trust.value)


def _take_up(change: Change, target: MemNode, sources: Sequence[MemNode], plan: MergePlan, content: str) -> None:
    content_check(content)
    change.open(target)
    if content != target.l2_content:
        target.l2_content = content
        derive(target)
        tiers_of_content(target)
    target.trust = plan.trust.value
    target.base_relevance = plan.strength.base
    target.last_access = datetime.fromtimestamp(plan.strength.last_access, UTC)
    target.access_count = plan.access_count
    target.merged_from = list(plan.merged_from)
    target.tags = list(dict.fromkeys([*target.tags, *(tag for row in sources for tag in row.tags)]))
    known = sources_of([target.id, *(row.id for row in sources)])
    change.give_sources(target, [one for row in (target, *sources) for one in known.get(row.id, ())])
