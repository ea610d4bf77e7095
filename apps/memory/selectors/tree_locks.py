"""Locks of the memory tree: operations that change addresses, owners or whole subtrees are serialized.

Such an operation (move, merge, archive, share, delete, undo) first takes an advisory lock on each tree that it changes:
the person's, then the team's. While it has them no address and no owner changes, so the rows can be read once and
locked in the order of their addresses. An in-place edit of memories locks a memory before its directory, against
that order: it takes the trees' locks too, but shared. Adding a memory takes none: it locks all directories above
(`rows.nodes_lock_at`), so that locking the top of a subtree waits for it and blocks the next one. A batch of
memories that a program found takes the lock of the tree, because it locks folder after folder. Those that a person adds
by hand first take a lock of their text, so that the same text added twice at once is found.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet

from apps.accounts.actors import Actor
from apps.common.errors import NotFound
from apps.common.tenancy import current_workspace_id, use_custom_plans
from apps.engine.memory.addresses import Address
from apps.memory.models import MemNode
from apps.memory.selectors.nodes import at_or_below, in_tree, node_row, visible_nodes

_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
_LOCK_ALL = "SELECT pg_advisory_xact_lock(hashtextextended(text, 0)) FROM unnest(%s::text[]) AS text"
_FEW = 10
"""Texts that are locked one by one; a larger batch locks all additions to the tree instead."""
_SHARE = "SELECT pg_advisory_xact_lock_shared(hashtextextended(tree, 0)) FROM unnest(%s::text[]) AS tree"


def trees_share(owner_ids: Iterable[UUID | None]) -> None:
    """Wait for structural changes of these owners' trees; edits do not wait for each other."""
    owners = set(owner_ids)
    names = [_tree_name(one) for one in sorted(one for one in owners if one)]
    with connection.cursor() as cursor:
        cursor.execute(_SHARE, [[*names, *([_tree_name(None)] if None in owners else [])]])


def texts_lock(owner_id: UUID | None, hashes: Collection[str]) -> None:
    """Wait for others who add memories with these texts to a tree by hand, before any other lock is taken.

    Of several trees, the team's comes last.
    """
    tree = f"texts of {_tree_name(owner_id)}"
    texts = sorted(f"{tree} {one}" for one in filter(None, hashes))
    is_small = len(texts) <= _FEW
    with connection.cursor() as cursor:
        cursor.execute(_SHARE if is_small else _LOCK_ALL, [[tree]])
        cursor.execute(_LOCK_ALL, [texts if is_small else []])


def nodes_lock(actor: Actor, node_ids: Collection[UUID]) -> dict[UUID, MemNode]:
    """Lock several nodes by id; `NotFound` if the actor cannot see one of them."""
    _trees_lock(actor, node_ids)
    found = {row.id: row for row in _locking(visible_nodes(actor).filter(pk__in=node_ids))}
    _require_all(found, node_ids)
    return found


def subtree_lock(actor: Actor, node_id: UUID, *, to: Address | None = None, to_team: bool = False) -> list[MemNode]:
    """Lock the node, its subtree and its parents, for a move also `to` and its parents; return the subtree."""
    use_custom_plans()
    _trees_lock(actor, [node_id], team=to_team)
    row = node_row(actor, node_id)
    address = Address(row.uri)
    top = [address, *address.ancestors, *((to, *to.ancestors) if to else ())]
    tree = in_tree(row.owner_id)
    list(_locking(tree.filter(uri__in=[one.text for one in top])))
    return list(_locking(tree.filter(at_or_below(address))))


def changed_lock(
    actor: Actor, node_ids: Collection[UUID], leaving: Mapping[UUID, Collection[Address]]
) -> tuple[list[MemNode], dict[UUID, list[MemNode]]]:
    """Lock several nodes in address order, with the subtrees of those that move.

    `leaving` maps each moving node to its new addresses; the parents at both are locked too.
    """
    use_custom_plans()
    _trees_lock(actor, node_ids, team=True)
    known = {row.id: row for row in visible_nodes(actor).filter(pk__in=node_ids)}
    _require_all(known, node_ids)
    tops = _uppermost([known[node_id] for node_id in leaving])
    places = [place for row in tops for place in (Address(row.uri), *leaving[row.id])]
    first = Q(pk__in=[row.id for row in tops]) | Q(uri__in={one.text for place in places for one in place.ancestors})
    wanted = first | Q(pk__in=list(node_ids))
    for row in tops:
        wanted |= Q(owner_id=row.owner_id) & at_or_below(Address(row.uri))
    list(_locking(visible_nodes(actor).filter(first)))
    locked = list(_locking(visible_nodes(actor).filter(wanted)))
    return [row for row in locked if row.id in known], {row.id: _below(row, locked) for row in tops}


def _trees_lock(actor: Actor, node_ids: Collection[UUID], *, team: bool = False) -> None:
    """Lock the person's tree, then the team's where one of the nodes is in it.

    The owner of a node changes only under both locks, so rows read after them remain current.
    """
    tree_lock(actor.person_id)
    if team or in_tree(None).filter(pk__in=node_ids).exists():
        tree_lock(None)


def tree_lock(owner_id: UUID | None) -> None:
    """Wait for the tree of one person, or the team's, until the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [_tree_name(owner_id)])


def _tree_name(owner_id: UUID | None) -> str:
    return f"memory tree {current_workspace_id()} {owner_id or 'team'}"


def _locking(rows: QuerySet[MemNode]) -> QuerySet[MemNode]:
    return rows.select_for_update(of=("self",)).order_by("uri", "id")


def _require_all(found: Mapping[UUID, MemNode], node_ids: Collection[UUID]) -> None:
    if len(found) < len(set(node_ids)):
        raise NotFound("Memory not found.")


def _uppermost(rows: Sequence[MemNode]) -> list[MemNode]:
    """Return the nodes that are below none of the others."""
    places = {(row.owner_id, row.uri) for row in rows}
    return [row for row in rows if not any((row.owner_id, one.text) in places for one in Address(row.uri).ancestors)]


def _below(above: MemNode, rows: Iterable[MemNode]) -> list[MemNode]:
    return [row for row in rows if row.owner_id == above.owner_id and row.uri.startswith(f"{above.uri}/")]
