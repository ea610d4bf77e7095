"""Taking a change back: what it changed becomes again what it was, which is a change like any other.

What somebody changed since is nobody's to overwrite: then nothing is taken back. How strong a memory is follows from
its use, and short tiers from the content: they are put back where they can be, and never stand in the way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import Conflict, Forbidden, NotFound
from apps.common.models import Json
from apps.engine.addresses import Address
from apps.engine.categories import FIXED
from apps.memory.models import MemNode, MemRevision, Operation
from apps.memory.records.tree import NodeRecord
from apps.memory.selectors.nodes import in_tree, node_row, require_curator, require_writable, sources_of
from apps.memory.selectors.revisions import first_seen
from apps.memory.selectors.tree import node_get
from apps.memory.selectors.tree_locks import changed_lock
from apps.memory.services.changes import Cause, Change
from apps.memory.services.places import address_taken, parents_ensure
from apps.memory.services.rows import addresses_follow, is_directory, subtree_rename
from apps.memory.services.states import (
    DERIVED,
    PERSON,
    STRENGTH,
    derive,
    put_back,
    same,
    sources_json,
    sources_read,
    state_of,
)
from apps.memory.services.tiering import tiers_of_content

_GOING = frozenset({"uri", "owner"})
# A new node keeps its place and owner when its making is taken back: it goes into the archive.
_NOT_OF_A_CREATE = STRENGTH | _GOING


def change_undo(actor: Actor, *, node_id: UUID, change_id: UUID, reason: str = "") -> NodeRecord:
    """All that the change did, to whatever nodes; the node is one of them."""
    first = first_seen(actor, node_row(actor, node_id))
    revisions = {one.node_id: one for one in MemRevision.objects.filter(change=change_id)}
    if node_id not in revisions or revisions[node_id].number < first:
        raise NotFound("The memory has no such change.")
    leaving = {one.node_id: one.before for one in revisions.values() if one.number > 1 and _GOING & one.before.keys()}
    _require_owner(actor, leaving.values())
    rows, below = changed_lock(actor, list(revisions), {one: _places(before) for one, before in leaving.items()})
    require_writable(actor, rows, as_author=True)
    _require_unchanged(revisions, rows)
    _require_whole(leaving, below)
    change = Change(Cause(Operation.UNDO, actor.user_id, reason or _reason(revisions[node_id]), undoes=change_id))
    _take_back(change, revisions, rows, leaving)
    _go_back(change, leaving, rows, below)
    if not change.store():
        raise _changed_since({"children"})
    return node_get(actor, node_id)


def _places(before: Json) -> list[Address]:
    return [Address(before["uri"])] if "uri" in before else []


def _require_owner(actor: Actor, before: Iterable[Json]) -> None:
    """What the team has becomes again only one's own, and the team's only by a curator."""
    owners = {one["owner"] for one in before if "owner" in one}
    if owners - {None, str(actor.person_id)}:
        raise Forbidden("Only the person who had it before can take this back.", code="owner_only")
    if None in owners:
        require_curator(actor)


def _take_back(
    change: Change, revisions: Mapping[UUID, MemRevision], rows: Sequence[MemNode], leaving: Collection[UUID]
) -> None:
    for row in reversed(rows):
        revision = revisions[row.id]
        if revision.number == 1:
            _unmake(change, row, leaving)
        else:
            _put_back(change, row, revision, leaving)


def _unmake(change: Change, row: MemNode, leaving: Collection[UUID]) -> None:
    """Into the archive, but for a directory that something else is in by now, and the fixed ones."""
    if Address(row.uri) not in FIXED and not _holds_something(change, row, leaving):
        change.open(row)
        row.archived_at = change.cause.at


def _holds_something(change: Change, row: MemNode, leaving: Collection[UUID]) -> bool:
    """Whether something in use will be in a directory; what is below it was taken back before it, and what leaves
    does not count."""
    if not is_directory(row):
        return False
    own = [one for one in change.rows if one.parent_id == row.id]
    others = MemNode.objects.filter(parent_id=row.id, archived_at__isnull=True)
    staying = others.exclude(pk__in=[*leaving, *(one.id for one in own)])
    return any(one.archived_at is None for one in own if one.id not in leaving) or staying.exists()


def _put_back(change: Change, row: MemNode, revision: MemRevision, leaving: Collection[UUID]) -> None:
    change.open(row)
    content, was_in_use, values = row.l2_content, row.archived_at is None, dict(revision.before)
    now = state_of(row)
    if not all(same(name, now[name], revision.after[name]) for name in STRENGTH & revision.after.keys()):
        values = {name: value for name, value in values.items() if name not in STRENGTH}
    put_back(row, values)
    if "sources" in values:
        change.give_sources(row, sources_read(values["sources"]))
    if row.l2_content != content:
        _tiers_back(row, revision.before)
    elif row.tiers_by == PERSON:
        row.tiers_of, row.tries_left = row.content_hash, 0
    if was_in_use and row.archived_at and _holds_something(change, row, leaving):
        row.archived_at = None


def _tiers_back(row: MemNode, before: Json) -> None:
    """Those of the content that is back, or new ones of it."""
    if row.tiers_by != PERSON and not DERIVED & before.keys():
        tiers_of_content(row)
    row.tiers_of, row.tries_left = row.content_hash, 0


def _go_back(
    change: Change, leaving: Mapping[UUID, Json], rows: Sequence[MemNode], below: Mapping[UUID, Sequence[MemNode]]
) -> None:
    """Addresses and owners, with what is below; and nothing in use stays where its directories are not."""
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


def _require_unchanged(revisions: Mapping[UUID, MemRevision], rows: Sequence[MemNode]) -> None:
    sources = sources_of(revisions)
    fields: set[str] = set()
    for row in rows:
        if revision := revisions.get(row.id):
            now = {**state_of(row), "sources": sources_json(sources.get(row.id, ()))}
            fields |= {name for name in _compared(row, revision) if not same(name, now[name], revision.after[name])}
            if revision.number == 1 and row.archived_at is not None:
                fields.add("archived_at")
    if fields:
        raise _changed_since(fields)


def _require_whole(leaving: Mapping[UUID, Json], below: Mapping[UUID, Sequence[MemNode]]) -> None:
    """What gets another owner leaves nothing of the one it had behind in it."""
    for node_id, rows in below.items():
        if "owner" in leaving[node_id] and any(row.id not in leaving for row in rows):
            raise _changed_since({"children"})


def _compared(row: MemNode, revision: MemRevision) -> frozenset[str]:
    """The fields that must still be what the change made of them."""
    left_out = _NOT_OF_A_CREATE if revision.number == 1 else STRENGTH
    return frozenset(revision.after) - left_out - (DERIVED if row.tiers_by != PERSON else frozenset())


def _changed_since(fields: set[str]) -> Conflict:
    named: dict[str, Any] = {"fields": sorted(fields)}
    return Conflict(f"Changed since: {', '.join(sorted(fields))}.", code="changed_since", extra=named)


def _reason(revision: MemRevision) -> str:
    return "Its making was taken back." if revision.number == 1 else ""
