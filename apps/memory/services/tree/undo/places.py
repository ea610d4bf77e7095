"""Restore of the addresses and owners before a change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from apps.common.models import Json
from apps.engine.memory.addresses import Address
from apps.memory.models import MemNode
from apps.memory.selectors.nodes import in_tree
from apps.memory.services.tree.change_sets import Change
from apps.memory.services.tree.node_snapshot import (
    derive,
)
from apps.memory.services.tree.node_storage import addresses_follow, subtree_rename
from apps.memory.services.tree.paths import address_taken, parents_ensure


def addresses_restore(
    change: Change, leaving: Mapping[UUID, Json], rows: Sequence[MemNode], below: Mapping[UUID, Sequence[MemNode]]
) -> None:
    """Restore addresses and owners of subtrees; no node in use may lose its parent directories."""
    for row in rows:
        if row.id in below:
            _relocate(change, row, below[row.id], leaving[row.id].get("uri", row.uri))
    staying: dict[UUID | None, list[Address]] = {}
    for row in rows:
        if row.archived_at is None and row.id not in leaving and change.row(row.id):
            staying.setdefault(row.owner_id, []).append(Address(row.uri))
    for owner_id, addresses in staying.items():
        parents_ensure(change, owner_id, addresses)


def _relocate(change: Change, row: MemNode, below: Sequence[MemNode], uri: str) -> None:
    if there := in_tree(row.owner_id).filter(uri=uri).exclude(pk=row.id).first():
        raise address_taken(there)
    address, length = Address(uri), len(row.uri)
    change.left(row.parent_id)
    parents = parents_ensure(change, row.owner_id, [address])
    row.parent = parents[address.parent.text] if address.parent else None
    row.uri = uri
    derive(row)
    subtree_rename(row, [one for one in below if change.row(one.id) is None], length)
    addresses_follow(row, [one for one in below if change.row(one.id)], length)
