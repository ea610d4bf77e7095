"""Undo of a change: the former values are restored by a new change.

If anything changed since, nothing is undone. A memory's strength follows from
its use, and abstracts from the content: they are restored where possible and never block an undo.
"""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import NotFound
from apps.common.models import Json
from apps.engine.memory.addresses import Address
from apps.memory.models import MemRevision, Operation
from apps.memory.records.tree import NodeRecord
from apps.memory.selectors.nodes import node_row, require_writable
from apps.memory.selectors.revisions import first_seen
from apps.memory.selectors.tree import node_get
from apps.memory.selectors.tree_locks import changed_lock
from apps.memory.services.tree.change_sets import Cause, Change
from apps.memory.services.tree.undo.checks import (
    PLACE_FIELDS,
    changed_since,
    require_owner,
    require_unchanged,
    require_whole,
)
from apps.memory.services.tree.undo.places import addresses_restore
from apps.memory.services.tree.undo.values import values_put_back


def change_undo(actor: Actor, *, node_id: UUID, change_id: UUID, reason: str = "") -> NodeRecord:
    """Undo a change of this node on all nodes that it affected."""
    first = first_seen(actor, node_row(actor, node_id))
    revisions = {one.node_id: one for one in MemRevision.objects.filter(change=change_id)}
    if node_id not in revisions or revisions[node_id].number < first:
        raise NotFound("Change not found.")
    leaving = {
        one.node_id: one.before for one in revisions.values() if one.number > 1 and PLACE_FIELDS & one.before.keys()
    }
    require_owner(actor, leaving.values())
    rows, below = changed_lock(actor, list(revisions), {one: _places(before) for one, before in leaving.items()})
    require_writable(actor, rows, as_author=True)
    require_unchanged(revisions, rows)
    require_whole(leaving, below)
    change = Change(Cause(Operation.UNDO, actor.user_id, reason or _reason(revisions[node_id]), undoes=change_id))
    values_put_back(change, revisions, rows, leaving)
    addresses_restore(change, leaving, rows, below)
    if not change.store():
        raise changed_since({"children"})
    return node_get(actor, node_id)


def _places(before: Json) -> list[Address]:
    return [Address(before["uri"])] if "uri" in before else []


def _reason(revision: MemRevision) -> str:
    return "Its making was taken back." if revision.number == 1 else ""
