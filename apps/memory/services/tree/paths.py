"""Creation of a node's parent directories, locked so that none is moved away before the node exists."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from uuid import UUID

from apps.accounts.actors import Actor, require_write
from apps.common.errors import Conflict, Invalid, Unprocessable
from apps.engine.memory.addresses import Address, AddressError, numbered_siblings
from apps.engine.memory.categories import Owner, owner_of
from apps.engine.memory.tree import Node, TreeError, check_new
from apps.memory.models import MemNode, NodeType
from apps.memory.selectors.nodes import in_tree, require_curator
from apps.memory.services.tree.change_sets import Change
from apps.memory.services.tree.node_snapshot import derive
from apps.memory.services.tree.node_storage import STALE, is_directory, nodes_lock_at, rows_insert

_AT_ONCE = 100
"""Numbered names tried in one query; rarely more exist."""


def owner_for(actor: Actor, address: Address, *, shared: bool) -> UUID | None:
    """The owner of a new node: the actor, or the team if the actor may write there."""
    if not shared:
        require_write(actor)
        return actor.person_id
    if owner_of(address) is not Owner.AGENT:
        raise Unprocessable("Only memories in mem://agent can be shared with the team.", code="not_shareable")
    require_curator(actor)
    return None


def place_check(address: Address, around: Collection[MemNode] = ()) -> None:
    """Reject an address where no node can be created; `around` are the nodes there and above."""
    with refusals():
        check_new(address, {Address(row.uri): Node(Address(row.uri), is_directory(row)) for row in around})


def addresses_free(owner_id: UUID | None, address: Address) -> Iterator[Address]:
    """Yield the free numbered variants of an address, archived nodes counted as existing.

    A concurrent transaction can take one first: the insert decides.
    """
    names = numbered_siblings(address)
    with refusals():
        while beside := list(islice(names, _AT_ONCE)):
            taken = in_tree(owner_id).filter(uri__in=[one.text for one in beside])
            standing = set(taken.values_list("uri", flat=True))
            yield from (one for one in beside if one.text not in standing)


def parents_ensure(change: Change, owner_id: UUID | None, addresses: Collection[Address]) -> dict[str, MemNode]:
    """Return the parent directories by address, creating missing and unarchiving archived ones."""
    names = sorted({above.text for address in addresses for above in address.ancestors})
    directories = nodes_lock_at(owner_id, names)
    missing = [Address(name) for name in names if name not in directories]
    for depth in sorted({address.depth for address in missing}):
        directories |= _create_directories(
            change, owner_id, [address for address in missing if address.depth == depth], directories
        )
    with refusals():
        _check_directories(directories.values())
    directories_restore(change, [row for row in directories.values() if row.archived_at])
    return directories


def directories_restore(change: Change, rows: Sequence[MemNode]) -> None:
    """Unarchive directories that are already locked against moves."""
    locked = MemNode.objects.select_for_update(no_key=True).filter(pk__in=[row.id for row in rows]).order_by("uri")
    fresh = {row.id: row for row in locked} if rows else {}
    for row in rows:
        now = change.row(row.id) or fresh[row.id]
        change.open(now)
        now.archived_at = row.archived_at = None


def address_taken(row: MemNode | None = None) -> Conflict:
    archived = row is not None and row.archived_at is not None
    where = "An archived memory" if archived else "A memory"
    return Conflict(f"{where} already has this address.", code="address_taken", extra={"archived": archived})


@contextmanager
def refusals() -> Iterator[None]:
    """Convert the engine's address errors to application errors."""
    try:
        yield
    except AddressError as error:
        raise Invalid(sentence(error), code="bad_address") from error
    except TreeError as error:
        raise Unprocessable(sentence(error), code="tree_refused") from error


def sentence(error: Exception) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."


def _create_directories(
    change: Change, owner_id: UUID | None, addresses: Sequence[Address], above: dict[str, MemNode]
) -> dict[str, MemNode]:
    """Create directories of one depth; use those that a concurrent transaction created."""
    rows = [_directory(change, owner_id, address, above) for address in addresses]
    fresh = rows_insert(rows)
    made = {row.uri: row for row in rows if row.id in fresh}
    change.made(*made.values())
    others = [address.text for address in addresses if address.text not in made]
    theirs = nodes_lock_at(owner_id, others) if others else {}
    if len(theirs) < len(others):
        raise Conflict("A parent folder is being moved or deleted. Try again.", code="busy")
    return made | theirs


def _directory(change: Change, owner_id: UUID | None, address: Address, above: dict[str, MemNode]) -> MemNode:
    parent = above[address.parent.text] if address.parent else None
    row = MemNode(
        owner_id=owner_id,
        uri=address.text,
        parent=parent,
        node_type=NodeType.DIRECTORY,
        tiers_of=STALE,
        author_id=change.cause.actor_id,
        occurred_at=change.cause.at,
        last_access=change.cause.at,
    )
    with refusals():
        derive(row)
    return row


def _check_directories(rows: Collection[MemNode]) -> None:
    if not all(is_directory(row) for row in rows):
        raise TreeError("only a folder can contain other memories")
