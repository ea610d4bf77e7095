"""Restoring what only our own export has of imported memories: state, revisions, links and possible contradictions.

It applies to memories as an import created them; one that changed here since keeps its own history.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.common.errors import Unprocessable
from apps.common.ids import uuid7
from apps.common.models import Json
from apps.engine.memory.trust import Source, Trust, lowest, may_merge, trust_of
from apps.memory.models import MemConflict, MemNode, MemRevision, Operation
from apps.memory.records.tree import SourceRecord
from apps.memory.selectors.nodes import sources_of
from apps.memory.services.bulk.restored_revisions import RestoredRevision, since_shared
from apps.memory.services.index.passages import node_passages_sync
from apps.memory.services.tree.node_storage import (
    is_directory,
    returned,
    revisions_insert,
    rows_write,
    sources_insert,
)

_SET_DATES = """
UPDATE mem_nodes AS node SET created_at = input.date
FROM unnest(%(ids)s::uuid[], %(dates)s::timestamptz[]) AS input (id, date)
WHERE node.workspace_id = %(workspace)s AND node.id = input.id AND node.id = ANY(%(ids)s::uuid[])
"""
_SET_VERSIONS = """
UPDATE mem_nodes AS node SET version = input.version
FROM unnest(%(ids)s::uuid[], %(versions)s::int[]) AS input (id, version)
WHERE node.workspace_id = %(workspace)s AND node.id = input.id AND node.id = ANY(%(ids)s::uuid[])
"""


@dataclass(frozen=True, slots=True)
class NodeState:
    """How often a memory was used, since when it exists, and its short tiers; without `tiers_by` they are derived.

    Date and tags are those of a folder, which may have been created as the parent of a memory.
    """

    base_relevance: float
    last_access: datetime | None
    access_count: int
    created_at: datetime
    abstract: str = ""
    overview: str = ""
    tiers_by: str = ""
    occurred_at: datetime | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NodeLinks:
    """The memories that followed on this one; `archived_at` is a directory's.

    `sources` are other memories, which could not be named before all of them were there.
    """

    superseded_by: UUID | None = None
    merged_into: UUID | None = None
    merged_from: tuple[str, ...] = ()
    archived_at: datetime | None = None
    sources: tuple[SourceRecord, ...] = ()


def states_restore(states: Mapping[UUID, NodeState]) -> None:
    """Restore the states of memories that this transaction created."""
    rows = list(MemNode.objects.filter(pk__in=states))
    if not rows:
        return
    for row in rows:
        _set_state(row, states[row.id])
    rows_write(rows)
    returned(_SET_DATES, ids=[row.id for row in rows], dates=[row.created_at for row in rows])
    node_passages_sync(rows)


def _set_state(row: MemNode, state: NodeState) -> None:
    row.base_relevance = min(max(state.base_relevance, 0.0), 1.0)
    row.last_access, row.access_count, row.created_at = state.last_access, state.access_count, state.created_at
    if is_directory(row):
        row.occurred_at, row.tags = state.occurred_at or row.occurred_at, list(state.tags)
        # As the parent of a memory it was created with a person's trust, which its history does not have.
        row.trust = lowest([trust_of(Source.OWN_STORE), Trust(row.trust)]).value
    elif state.tiers_by:
        row.tiers_of, row.tries_left = row.content_hash, 0
    if state.tiers_by:
        row.l0_abstract, row.l1_overview, row.tiers_by = state.abstract, state.overview, state.tiers_by


def histories_restore(histories: Mapping[UUID, Sequence[RestoredRevision]]) -> set[UUID]:
    """Store the beginnings of histories in place of the revisions that the import made.

    Return the memories to which that happened; the others were changed since they were imported. Of a team's memory,
    what was before it was shared is left out; `Unprocessable` is raised if that is all there is.
    """
    rows = MemNode.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=histories, version=1)
    locked = {row.id: row for row in rows.order_by("uri")}
    imported = MemRevision.objects.filter(node_id__in=locked, number=1, operation=Operation.IMPORT)
    ids = list(imported.values_list("node_id", flat=True))
    kept = {one: _visible(locked[one], histories[one]) for one in ids}
    imported.delete()
    revisions_insert([_revision(one, place, revision) for one in ids for place, revision in _numbered(kept[one])])
    returned(_SET_VERSIONS, ids=ids, versions=[len(kept[one]) for one in ids])
    return set(ids)


def history_continue(node_id: UUID, *, first: int, revisions: Sequence[RestoredRevision]) -> bool:
    """Store revisions from number `first` on; return whether those before are the last ones."""
    row = MemNode.objects.select_for_update(no_key=True, of=("self",)).get(pk=node_id)
    if row.version != first - 1:
        return False
    if _visible(row, revisions) != revisions:
        raise Unprocessable("A later part of a history cannot share the memory.", code="private_history")
    revisions_insert([_revision(node_id, number, one) for number, one in _numbered(revisions, first)])
    returned(_SET_VERSIONS, ids=[node_id], versions=[first - 1 + len(revisions)])
    return True


def _visible(row: MemNode, revisions: Sequence[RestoredRevision]) -> Sequence[RestoredRevision]:
    """The revisions that whoever sees the memory may read."""
    return since_shared(revisions) if row.owner_id is None else revisions


def _numbered(revisions: Sequence[RestoredRevision], first: int = 1) -> Iterable[tuple[int, RestoredRevision]]:
    return enumerate(revisions, start=first)


def links_restore(node_id: UUID, links: NodeLinks) -> None:
    """Link a memory to those that superseded it or that it was merged into, if these can be."""
    if links == NodeLinks():
        return
    row = MemNode.objects.select_for_update(no_key=True, of=("self",)).get(pk=node_id)
    later = _beside(row, links.superseded_by)
    if later is not None and row.valid_to is not None and later.attribute == row.attribute:
        row.superseded_by = later
    target = _beside(row, links.merged_into)
    if target is not None and row.archived_at is not None and may_merge(Trust(row.trust), Trust(target.trust)):
        row.merged_into = target
    row.merged_from = list(links.merged_from)
    if links.archived_at is not None and not MemNode.objects.filter(parent=row, archived_at__isnull=True).exists():
        row.archived_at = links.archived_at
    row.save(update_fields=["superseded_by", "merged_into", "merged_from", "archived_at"])
    known = sources_of([row.id]).get(row.id, ())
    sources_insert((row.id, source) for source in links.sources if source not in known)
    node_passages_sync([row])


def _beside(row: MemNode, node_id: UUID | None) -> MemNode | None:
    """Another memory of the same tree."""
    found = MemNode.objects.filter(pk=node_id).exclude(pk=row.id).first() if node_id else None
    return found if found is not None and found.owner_id == row.owner_id else None


def _revision(node_id: UUID, number: int, one: RestoredRevision) -> Json:
    return {
        "id": uuid7(),
        "node_id": node_id,
        "number": number,
        "change": one.change,
        "operation": one.operation.value,
        "undoes": one.undoes,
        "actor_id": one.actor_id,
        "made_by": one.made_by,
        "reason": one.reason,
        "before": one.before,
        "after": one.after,
        "created_at": one.created_at,
    }


def conflict_restore(earlier: UUID, later: UUID, *, reason: str, decision: str, decided_at: datetime | None) -> bool:
    """Store that one memory may replace another; return whether it was unknown."""
    rows = MemConflict.objects.filter(earlier_id=earlier, later_id=later)
    if rows.exists():
        return False
    MemConflict.objects.create(
        earlier_id=earlier, later_id=later, reason=reason[:40], decision=decision, decided_at=decided_at
    )
    return True
