"""Taking a change back: what it changed becomes again what it was, which is a change like any other.

What somebody changed since is nobody's to overwrite: then nothing is taken back. How strong a memory is follows from
its use, and short tiers from the content: they are put back where they can be, and never stand in the way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import Conflict, NotFound
from apps.common.models import Json
from apps.engine.addresses import Address
from apps.memory.models import MemNode, MemRevision, Operation
from apps.memory.records.tree import NodeRecord
from apps.memory.selectors.nodes import in_tree, node_row, nodes_lock, require_writable, sources_of, subtree_lock
from apps.memory.selectors.tree import node_get
from apps.memory.services.changes import Cause, Change
from apps.memory.services.places import address_taken, parents_ensure
from apps.memory.services.rows import addresses_follow, is_directory, subtree_rename
from apps.memory.services.states import (
    DERIVED,
    PERSON,
    STRENGTH,
    derive,
    put_back,
    sources_json,
    sources_read,
    state_of,
)
from apps.memory.services.tiering import tiers_of_content

# A new node keeps its place and owner when its making is taken back: it goes into the archive.
_NOT_OF_A_CREATE = STRENGTH | {"uri", "owner"}


def change_undo(actor: Actor, *, node_id: UUID, change_id: UUID, reason: str = "") -> NodeRecord:
    """All that the change did, to whatever nodes; the node is one of them."""
    node_row(actor, node_id)
    revisions = {one.node_id: one for one in MemRevision.objects.filter(change=change_id)}
    if node_id not in revisions:
        raise NotFound("The memory has no such change.")
    rows = _held(actor, revisions)
    require_writable(actor, rows, as_author=True)
    _require_unchanged(revisions, rows)
    change = Change(Cause(Operation.UNDO, actor.user_id, reason or _reason(revisions[node_id]), undoes=change_id))
    _take_back(change, revisions, [row for row in rows if row.id in revisions], rows)
    if not change.store():
        raise _changed_since({"children"})
    return node_get(actor, node_id)


def _held(actor: Actor, revisions: Mapping[UUID, MemRevision]) -> list[MemNode]:
    """The nodes of the change in the order of their addresses; of one that was moved also what is below it."""
    if len(revisions) == 1:
        (one,) = revisions.values()
        before = one.before.get("uri")
        return subtree_lock(actor, one.node_id, Address(before) if before else None) if before else _alone(actor, one)
    return sorted(nodes_lock(actor, list(revisions)).values(), key=lambda row: row.uri)


def _alone(actor: Actor, revision: MemRevision) -> list[MemNode]:
    return list(nodes_lock(actor, [revision.node_id]).values())


def _take_back(
    change: Change, revisions: Mapping[UUID, MemRevision], rows: Sequence[MemNode], held: Sequence[MemNode]
) -> None:
    for row in reversed(rows):
        revision = revisions[row.id]
        if revision.number == 1:
            _unmake(change, row)
        else:
            _put_back(change, row, revision)
    _go_back(change, revisions, rows, held)


def _unmake(change: Change, row: MemNode) -> None:
    """Into the archive, but for a directory that something else is in by now."""
    if is_directory(row):
        inside = MemNode.objects.filter(parent_id=row.id, archived_at__isnull=True).values_list("pk", flat=True)
        if any((one := change.row(node_id)) is None or one.archived_at is None for node_id in inside):
            return
    change.open(row)
    row.archived_at = change.cause.at


def _put_back(change: Change, row: MemNode, revision: MemRevision) -> None:
    change.open(row)
    content, values = row.l2_content, dict(revision.before)
    now = state_of(row)
    if any(now[name] != revision.after[name] for name in STRENGTH & revision.after.keys()):
        values = {name: value for name, value in values.items() if name not in STRENGTH}
    put_back(row, values)
    if "sources" in values:
        change.give_sources(row, sources_read(values["sources"]))
    if row.l2_content != content:
        _tiers_back(row, revision.before)


def _tiers_back(row: MemNode, before: Json) -> None:
    """Those of the content that is back, or new ones of it."""
    if row.tiers_by != PERSON and not DERIVED & before.keys():
        tiers_of_content(row)
    row.tiers_of, row.tries_left = row.content_hash, 0


def _go_back(
    change: Change, revisions: Mapping[UUID, MemRevision], rows: Sequence[MemNode], held: Sequence[MemNode]
) -> None:
    """Addresses and owners, with what is below; and nothing in use stays where its directories are not."""
    leaving = {
        row.id for row in rows if revisions[row.id].number > 1 and {"uri", "owner"} & revisions[row.id].before.keys()
    }
    for row in rows:
        if row.id in leaving and row.parent_id not in leaving:
            below = [one for one in held if one.id != row.id and one.uri.startswith(f"{row.uri}/")]
            _relocate(change, row, below, revisions[row.id].before.get("uri", row.uri))
    for row in rows:
        if row.archived_at is None and row.id not in leaving and change.row(row.id):
            parents_ensure(change, row.owner_id, [Address(row.uri)])


def _moved(revision: MemRevision) -> bool:
    return revision.number > 1 and not revision.before.keys().isdisjoint({"uri", "owner"})


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


def _require_unchanged(revisions: Mapping[UUID, MemRevision], rows: Sequence[MemNode]) -> None:
    sources = sources_of(revisions)
    fields: set[str] = set()
    for row in rows:
        if revision := revisions.get(row.id):
            now = {**state_of(row), "sources": sources_json(sources.get(row.id, ()))}
            fields |= {name for name in _compared(row, revision) if now[name] != revision.after[name]}
            if revision.number == 1 and row.archived_at is not None:
                fields.add("archived_at")
    if fields:
        raise _changed_since(fields)


def _compared(row: MemNode, revision: MemRevision) -> frozenset[str]:
    """The fields that must still be what the change made of them."""
    left_out = _NOT_OF_A_CREATE if revision.number == 1 else STRENGTH
    return frozenset(revision.after) - left_out - (DERIVED if row.tiers_by != PERSON else frozenset())


def _changed_since(fields: set[str]) -> Conflict:
    named: dict[str, Any] = {"fields": sorted(fields)}
    return Conflict(f"Changed since: {', '.join(sorted(fields))}.", code="changed_since", extra=named)


def _reason(revision: MemRevision) -> str:
    return "Its making was taken back." if revision.number == 1 else ""
