"""Items of the inbox, locked for a decision."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import Conflict, ContinuityError, NotFound
from apps.inbox.records import ItemKind
from apps.inbox.selectors.open_items import earlier_of, proposals_of, undecided
from apps.memory.models import MemConflict, MemNode, NodeType
from apps.memory.selectors.nodes import require_writable, visible_nodes
from apps.memory.selectors.tree_locks import nodes_lock


@dataclass(frozen=True, slots=True)
class LockedItem:
    """An item with its memories: `later` waits or came later, `earlier` are those that it may replace."""

    id: UUID
    kind: ItemKind
    later: MemNode
    earlier: tuple[MemNode, ...]

    @property
    def is_proposal(self) -> bool:
        return self.kind is ItemKind.PROPOSAL


Found = Mapping[UUID, "LockedItem | ContinuityError"]


def items_lock(actor: Actor, ids: Collection[UUID]) -> Found:
    """Lock the items; return each that waits by id, or the error that says why it cannot be decided.

    Two decisions of one item wait for each other here: the second finds it decided.
    """
    leaves = visible_nodes(actor).filter(pk__in=ids, node_type=NodeType.LEAF)
    known = set(leaves.values_list("pk", flat=True))
    pairs = _visible_pairs(actor, set(ids) - known)
    rows = nodes_lock(actor, known | {one for pair in pairs.values() for one in _ends(pair)})
    found: dict[UUID, LockedItem | ContinuityError] = {
        one: _decided() if one in known or one in pairs else _absent() for one in ids
    }
    for item in (*_proposals(actor, rows, known), *_contradictions(rows, pairs)):
        found[item.id] = _refusal(actor, item) or item
    return found


def _visible_pairs(actor: Actor, ids: Collection[UUID]) -> dict[UUID, MemConflict]:
    pairs = MemConflict.objects.filter(pk__in=ids)
    ends = {one for pair in pairs for one in _ends(pair)}
    visible = set(visible_nodes(actor).filter(pk__in=ends).values_list("pk", flat=True))
    return {pair.id: pair for pair in pairs if visible.issuperset(_ends(pair))}


def _proposals(actor: Actor, rows: Mapping[UUID, MemNode], known: Collection[UUID]) -> Iterator[LockedItem]:
    """Yield the proposals, with the memories that they may replace, locked too."""
    waiting = proposals_of(MemNode.objects.filter(pk__in=known)).values_list("pk", flat=True)
    earlier = earlier_of(actor, [rows[node_id] for node_id in waiting])
    every = {**nodes_lock(actor, {other.id for others in earlier.values() for other in others}), **rows}
    for node_id in waiting:
        others = tuple(every[other.id] for other in earlier.get(node_id, ()))
        yield LockedItem(node_id, ItemKind.PROPOSAL, rows[node_id], others)


def _contradictions(rows: Mapping[UUID, MemNode], pairs: Mapping[UUID, MemConflict]) -> Iterator[LockedItem]:
    for pair in undecided(MemConflict.objects.filter(pk__in=pairs)):
        yield LockedItem(pair.id, ItemKind.CONTRADICTION, rows[pair.later_id], (rows[pair.earlier_id],))


def _refusal(actor: Actor, item: LockedItem) -> ContinuityError | None:
    try:
        require_writable(actor, [item.later, *item.earlier])
    except ContinuityError as error:
        return error
    return None


def _ends(pair: MemConflict) -> tuple[UUID, UUID]:
    return pair.earlier_id, pair.later_id


def _decided() -> Conflict:
    return Conflict("This was decided already.", code="already_decided")


def _absent() -> NotFound:
    return NotFound("Nothing with this id waits for a decision.")
