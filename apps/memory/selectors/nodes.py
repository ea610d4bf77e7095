"""Reads of memory tree rows: visibility, write access and subtrees.

`tree_locks` locks several of them, or whole subtrees.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.accounts.actors import Actor, require, require_write
from apps.accounts.permissions import Permission
from apps.common.errors import NotFound
from apps.common.reads import fetch_rows
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import RELATIONAL_PROFILE, Owner, owner_of
from apps.engine.memory.slots import Slot
from apps.engine.memory.trust import Arrival
from apps.memory.models import MemNode, NodeType
from apps.memory.records.tree import SourceRecord

DERIVED = Q(uri=RELATIONAL_PROFILE.text) | Q(uri__regex=r"^mem://sessions/[0-9a-f-]{36}/(summary|observations)$")
"""Leaves that a program compiles from messages, and compiles again without those that are excluded or deleted."""
_CURATORS_ONLY = "curators_only"
_SOURCES = """
SELECT node_id, kind, reference FROM mem_sources
WHERE workspace_id = %(workspace)s AND node_id = ANY(%(nodes)s::uuid[]) ORDER BY id
"""


def visible_nodes(actor: Actor) -> QuerySet[MemNode]:
    """Select the nodes of the actor and the team, including archived ones."""
    return MemNode.objects.filter(Q(owner_id=actor.person_id) | Q(owner__isnull=True))


def node_row(actor: Actor, node_id: UUID) -> MemNode:
    row = visible_nodes(actor).filter(pk=node_id).first()
    if row is None:
        raise _absent()
    return row


def node_lock(actor: Actor, node_id: UUID) -> MemNode:
    """Lock a single node for a change of its content."""
    rows = visible_nodes(actor).select_for_update(of=("self",), no_key=True)
    row = rows.filter(pk=node_id).first()
    if row is None:
        raise _absent()
    return row


def nodes_rows(actor: Actor, node_ids: Collection[UUID]) -> dict[UUID, MemNode]:
    """Read several nodes by id without locking them; `NotFound` if the actor cannot see one of them."""
    rows = {row.id: row for row in visible_nodes(actor).filter(pk__in=node_ids)}
    if len(rows) < len(set(node_ids)):
        raise _absent()
    return rows


def in_tree(owner_id: UUID | None) -> QuerySet[MemNode]:
    """Select the tree of a person or, with None, of the team."""
    return MemNode.objects.filter(owner_id=owner_id) if owner_id else MemNode.objects.filter(owner__isnull=True)


def current_leaves(owner_id: UUID | None) -> QuerySet[MemNode]:
    """Select the memories of a tree that are accepted, in use, and hold now."""
    return _current(in_tree(owner_id))


def current_memories(actor: Actor, node_ids: Collection[UUID], *, with_own: bool = True) -> QuerySet[MemNode]:
    """Select those of several memories that are accepted, in use, and hold now: the team's, and the actor's own."""
    rows = visible_nodes(actor) if with_own else in_tree(None)
    return _current(rows.filter(pk__in=node_ids))


def _current(rows: QuerySet[MemNode]) -> QuerySet[MemNode]:
    leaves = rows.filter(node_type=NodeType.LEAF, arrival=Arrival.ACCEPTED.value, archived_at__isnull=True)
    return leaves.filter(Q(valid_to__isnull=True) | Q(superseded_by__isnull=True, valid_to__gt=timezone.now()))


def unused_leaves(owner_id: UUID | None) -> QuerySet[MemNode]:
    """Select the memories of a tree that wait for a decision or have ended, except archived ones."""
    rows = in_tree(owner_id).filter(node_type=NodeType.LEAF, archived_at__isnull=True)
    has_ended = Q(superseded_by__isnull=False) | Q(valid_to__lte=timezone.now())
    return rows.filter(Q(arrival=Arrival.PROPOSED.value) | has_ended)


def slot_of(row: MemNode) -> Slot | None:
    return Slot(row.subject, row.attribute, row.value, row.many) if row.attribute else None


def within(owner_id: UUID | None, address: Address) -> QuerySet[MemNode]:
    """The nodes at an address and below it."""
    return in_tree(owner_id).filter(at_or_below(address))


def visible_within(actor: Actor, address: Address) -> QuerySet[MemNode]:
    """Select the visible nodes at an address and below it; the team has nodes in one root only."""
    if owner_of(address) is not Owner.AGENT:
        return within(actor.person_id, address)
    return visible_nodes(actor).filter(at_or_below(address))


def at_or_below(address: Address) -> Q:
    """Return a filter for an address and its subtree, as a single index range.

    The range also covers addresses between this one and its first child, such as `a-b` between `a` and `a/`.
    """
    first, end = address.descendant_range
    return Q(uri__gte=address.text, uri__lt=end) & (Q(uri=address.text) | Q(uri__gte=first))


def sources_of(node_ids: Iterable[UUID]) -> dict[UUID, tuple[SourceRecord, ...]]:
    """Return the sources by node in order of creation; nodes without any are omitted."""
    found: dict[UUID, list[SourceRecord]] = {}
    for node_id, kind, reference in fetch_rows(_SOURCES, nodes=list(node_ids)):
        found.setdefault(node_id, []).append(SourceRecord(kind, reference))
    return {node_id: tuple(sources) for node_id, sources in found.items()}


def may_curate(actor: Actor) -> bool:
    """Whether the actor may write what the team owns."""
    return actor.may(Permission.CURATE_TEAM_MEMORY)


def require_curator(actor: Actor) -> None:
    require_write(actor)
    require(actor, Permission.CURATE_TEAM_MEMORY, code=_CURATORS_ONLY)


def require_writable(actor: Actor, rows: Sequence[MemNode], *, as_author: bool = False) -> None:
    """Require own nodes, or a curator for the team's; with `as_author` also allow team nodes that the actor wrote."""
    require_write(actor)
    if may_curate(actor):
        return
    for row in rows:
        if row.owner_id is None and not (as_author and row.author_id == actor.user_id):
            require(actor, Permission.CURATE_TEAM_MEMORY, code=_CURATORS_ONLY)


def _absent() -> NotFound:
    return NotFound("Memory not found.")
