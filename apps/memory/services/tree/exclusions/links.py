"""The links between memories and what superseded them, as they would be without any exclusion.

Excluding a message changes the links of other memories, and another exclusion can change them again. Their revisions
hold the links from before the first one, so any order of excluding and including leads to the same state.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import F, Q, QuerySet

from apps.common.models import Json
from apps.memory.models import MemNode, MemRevision, Operation
from apps.memory.selectors.withdrawn import BY_EXCLUSION
from apps.memory.services.tree.change_sets import Change
from apps.memory.services.tree.node_snapshot import restore_values, state_of
from apps.memory.services.tree.successors import successor_in_use, successors_restore

_LINK = frozenset({"valid_to", "superseded_by"})


@dataclass(slots=True)
class _Chain:
    """Memories by id, their states without exclusions, and those that exclusions have archived."""

    rows: dict[UUID, MemNode] = field(default_factory=dict)
    states: dict[UUID, Json] = field(default_factory=dict)
    out: set[UUID] = field(default_factory=set)

    @property
    def links(self) -> dict[UUID, UUID | None]:
        named = {node_id: state["superseded_by"] for node_id, state in self.states.items()}
        return {node_id: UUID(later) if later else None for node_id, later in named.items()}

    def add(self, rows: Iterable[MemNode]) -> None:
        new = {row.id: row for row in rows if row.id not in self.rows}
        self.rows |= new
        self.states |= _states(new)
        self.out |= set(_archivings(new).values_list("node_id", flat=True))


def links_follow(change: Change, archived: Collection[MemNode], restored: Collection[MemNode]) -> None:
    """Let memories be superseded by what is in use now that these were archived or restored, and restore the links that
    exclusions changed. The caller has locked and changed the rows, and stores the change."""
    chain = _Chain()
    chain.add([*archived, *restored])
    chain.out = {row.id for row in archived}
    _extend(chain)
    links, successors = chain.links, dict[UUID, UUID | None]()
    for row in chain.rows.values():
        if row.archived_at is None:
            later = successor_in_use(links[row.id], links, chain.out)
            if later == links[row.id]:
                _restore(change, row, chain.states[row.id])
            else:
                successors[row.id] = later
    successors_restore(change, chain.rows, successors)


def _extend(chain: _Chain) -> None:
    """Add what the memories superseded, and so on past those that are out, and what superseded them where that is
    archived; what is in use ends the chain."""
    ends, passed = set(chain.rows), set[UUID]()
    while found := _lock(_earlier(ends), chain):
        chain.add(found)
        passed |= ends
        ends = chain.out - passed


def _earlier(ids: Collection[UUID]) -> set[UUID]:
    """Return the memories that one of these superseded, also those whose link an exclusion has changed."""
    linked = MemNode.objects.filter(superseded_by_id__in=list(ids)).values_list("pk", flat=True)
    first = _archivings(ids).order_by("change").values_list("change", flat=True).first()
    if first is None:
        return set(linked)
    # Ids are in the order of time: links were changed after, or together with, what they refer to.
    later = MemRevision.objects.filter(pk__gt=first, made_by=BY_EXCLUSION)
    moved = later.filter(before__superseded_by__in=[str(one) for one in ids])
    return {*linked, *moved.values_list("node_id", flat=True)}


def _archivings(ids: Iterable[UUID]) -> QuerySet[MemRevision]:
    """Select the revisions in which an exclusion archived these memories, which have not changed since."""
    last = MemRevision.objects.filter(node_id__in=list(ids), number=F("node__version"), made_by=BY_EXCLUSION)
    return last.filter(operation=Operation.ARCHIVE, node__archived_at__isnull=False)


def _lock(earlier: Collection[UUID], chain: _Chain) -> list[MemNode]:
    later = [one for one in chain.links.values() if one]
    wanted = Q(pk__in=list(earlier)) | Q(pk__in=later, archived_at__isnull=False)
    rows = MemNode.objects.select_for_update(no_key=True).filter(wanted).exclude(pk__in=list(chain.rows))
    return list(rows.order_by("uri", "id"))


def _states(rows: Mapping[UUID, MemNode]) -> dict[UUID, Json]:
    """Return the fields of each link as they were before the exclusions that were the last to change them."""
    now = {node_id: state_of(row) for node_id, row in rows.items()}
    states = {node_id: {name: state[name] for name in _LINK} for node_id, state in now.items()}
    changed = Q(after__has_key="valid_to") | Q(after__has_key="superseded_by")
    revisions = MemRevision.objects.filter(changed, node_id__in=rows).order_by("node_id", "-number")
    by_others: set[UUID] = set()
    for node_id, made_by, before in revisions.values_list("node_id", "made_by", "before"):
        if made_by != BY_EXCLUSION:
            by_others.add(node_id)
        elif node_id not in by_others:
            states[node_id] |= {name: before[name] for name in _LINK & before.keys()}
    return states


def _restore(change: Change, row: MemNode, state: Json) -> None:
    change.open(row)
    restore_values(row, state)
