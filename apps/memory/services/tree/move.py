"""Moving of a node with its subtree; only the node itself gets a revision."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from apps.accounts.actors import Actor
from apps.engine.memory.addresses import Address
from apps.engine.memory.tree import Node, check_move, renames
from apps.memory.models import MemNode, Operation
from apps.memory.records.tree import NodeRecord
from apps.memory.selectors.nodes import in_tree, node_row, require_writable
from apps.memory.selectors.tree import node_get
from apps.memory.selectors.tree_locks import subtree_lock
from apps.memory.services.tree.change_sets import Cause, Change
from apps.memory.services.tree.node_checks import require_current, require_usable
from apps.memory.services.tree.node_snapshot import derive
from apps.memory.services.tree.node_storage import is_directory, subtree_rename
from apps.memory.services.tree.paths import address_taken, addresses_free, parents_ensure, refusals


def node_move(actor: Actor, *, node_id: UUID, to: Address, version: int | None, reason: str = "") -> NodeRecord:
    """Move the given version to another address, creating missing parent directories."""
    require_writable(actor, [node_row(actor, node_id)])
    row, *below = subtree_lock(actor, node_id, to=to)
    require_usable(row)
    require_current(row, version)
    change = Change(Cause(Operation.MOVE, actor.user_id, reason))
    if to.text != row.uri:
        _check(row, to)
        node_relocate(change, row, below, to)
        change.store()
    return node_get(actor, node_id)


def leaf_move(change: Change, row: MemNode, to: Address, *, numbered: bool) -> None:
    """Move a memory to an address, if `numbered` next to it if it is taken. The caller has locked it and stores it."""
    if to.text == row.uri:
        return
    if numbered and in_tree(row.owner_id).filter(uri=to.text).exists():
        to = next(addresses_free(row.owner_id, to))
    _check(row, to)
    node_relocate(change, row, [], to)


def node_relocate(change: Change, row: MemNode, below: Sequence[MemNode], to: Address) -> None:
    """Move the node with its subtree to a free address. The caller has locked them and stores the change."""
    with refusals():
        renames(Address(row.uri), to, [Address(one.uri) for one in below])
    change.open(row)
    change.left(row.parent_id)
    parents = parents_ensure(change, row.owner_id, [to])
    row.parent = parents[to.parent.text] if to.parent else None
    length = len(row.uri)
    row.uri = to.text
    derive(row)
    subtree_rename(row, below, length)


def _check(row: MemNode, to: Address) -> None:
    """Raise an error if the node cannot be moved to the address."""
    names = [to.text, *(above.text for above in to.ancestors)]
    there = {Address(one.uri): one for one in in_tree(row.owner_id).filter(uri__in=names)}
    if to in there:
        raise address_taken(there[to])
    with refusals():
        check_move(Address(row.uri), to, {address: Node(address, is_directory(one)) for address, one in there.items()})
