"""Sharing of a person's agent memories with the team."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import Conflict, Unprocessable
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import Owner, owner_of
from apps.memory.models import MemNode, Operation
from apps.memory.records.tree import NodeRecord
from apps.memory.selectors.nodes import in_tree, node_row, require_curator
from apps.memory.selectors.tree import node_get
from apps.memory.selectors.tree_locks import subtree_lock
from apps.memory.services.tree.change_sets import Cause, Change
from apps.memory.services.tree.node_checks import require_usable
from apps.memory.services.tree.node_storage import addresses_follow
from apps.memory.services.tree.paths import addresses_free, parents_ensure


def node_share(actor: Actor, *, node_id: UUID, reason: str = "") -> NodeRecord:
    """Share a node with its subtree; if the team has a node at the address, a number is appended to the name."""
    node_row(actor, node_id)
    require_curator(actor)
    rows = subtree_lock(actor, node_id, to_team=True)
    _check(rows[0])
    change = Change(Cause(Operation.SHARE, actor.user_id, reason))
    change.open(*rows)
    change.left(rows[0].parent_id)
    _give(change, rows[0], rows[1:])
    change.store()
    return node_get(actor, node_id)


def _give(change: Change, row: MemNode, below: list[MemNode]) -> None:
    address = Address(row.uri)
    if address.parent is None:
        raise Unprocessable("A top-level folder cannot be shared.", code="tree_refused")
    parent = parents_ensure(change, None, [address])[address.parent.text]
    length, row.uri = len(row.uri), _free(address).text
    row.parent = parent
    for one in (row, *below):
        one.owner_id = None
    addresses_follow(row, below, length)


def _free(address: Address) -> Address:
    """Return the first free address: the given one or a numbered variant."""
    is_taken = in_tree(None).filter(uri=address.text).exists()
    return next(addresses_free(None, address)) if is_taken else address


def _check(row: MemNode) -> None:
    require_usable(row)
    if row.owner_id is None:
        raise Conflict("The memory is already shared with the team.", code="shared_already")
    if owner_of(Address(row.uri)) is not Owner.AGENT:
        raise Unprocessable("Only memories in mem://agent can be shared with the team.", code="not_shareable")
