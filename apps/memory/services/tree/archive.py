"""Putting nodes in and out of use: approval of a proposal, archiving and unarchiving with their subtrees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import Conflict
from apps.engine.memory.addresses import Address
from apps.engine.memory.trust import Arrival, Trust, node_trust
from apps.memory.models import MemNode, Operation
from apps.memory.records.tree import NodeRecord
from apps.memory.selectors.nodes import node_lock, node_row, require_writable
from apps.memory.selectors.tree import node_get
from apps.memory.selectors.tree_locks import subtree_lock, trees_share
from apps.memory.services.tree.change_sets import Cause, Change
from apps.memory.services.tree.node_checks import require_free, require_usable
from apps.memory.services.tree.paths import parents_ensure


def node_archive(actor: Actor, *, node_id: UUID, reason: str = "") -> NodeRecord:
    """Archive a node with its subtree: no pack or search uses it, and it can be unarchived."""
    subtree_archive(actor, node_id=node_id, reason=reason)
    return node_get(actor, node_id)


def subtree_archive(actor: Actor, *, node_id: UUID, reason: str = "") -> UUID:
    """Archive a node with its subtree; return the change, by which that can be undone."""
    require_writable(actor, [node_row(actor, node_id)], as_author=True)
    rows = subtree_lock(actor, node_id)
    require_writable(actor, rows, as_author=True)
    require_usable(rows[0])
    change = Change(Cause(Operation.ARCHIVE, actor.user_id, reason))
    rows_archive(change, rows)
    change.store()
    return change.cause.change


def node_unarchive(actor: Actor, *, node_id: UUID, reason: str = "") -> NodeRecord:
    """Unarchive a node, the nodes archived together with it, and its parent directories."""
    require_writable(actor, [node_row(actor, node_id)], as_author=True)
    rows = subtree_lock(actor, node_id)
    require_writable(actor, rows, as_author=True)
    row = rows[0]
    require_free(row)
    if row.archived_at is None:
        raise Conflict("The memory is not archived.", code="not_archived")
    change = Change(Cause(Operation.RESTORE, actor.user_id, reason))
    rows_restore(change, [one for one in rows if one.archived_at == row.archived_at])
    change.store()
    return node_get(actor, node_id)


def node_approve(actor: Actor, *, node_id: UUID, reason: str = "") -> NodeRecord:
    """Put a proposed memory in use, with the trust of a person's own words; undoing it restores the proposal."""
    trees_share([actor.person_id, None])
    row = node_lock(actor, node_id)
    require_writable(actor, [row], as_author=True)
    require_usable(row)
    if row.arrival != Arrival.PROPOSED:
        raise Conflict("The memory is already in use.", code="not_proposed")
    change = Change(Cause(Operation.APPROVE, actor.user_id, reason))
    row_approve(change, row)
    change.store()
    return node_get(actor, node_id)


def row_approve(change: Change, row: MemNode) -> None:
    """Put a proposal in use. The caller has locked it and stores the change.

    A fact keeps the date of its words, which decides whether it supersedes the current value of its slot.
    """
    change.open(row)
    row.arrival = Arrival.ACCEPTED.value
    row.trust = node_trust([Trust(row.trust)], approved=True).value


def waits_from_import(row: MemNode) -> bool:
    """Whether it is a proposal from an import that nobody confirmed."""
    return row.archived_at is None and row.arrival == Arrival.PROPOSED and row.trust == Trust.IMPORTED


def row_confirm(change: Change, row: MemNode, trust: Trust) -> None:
    """Put such a proposal in use, as if the import had been confirmed at first: with the trust of an import, not that
    of a person's own words. The caller has locked it and stores the change.
    """
    change.open(row)
    row.arrival, row.trust = Arrival.ACCEPTED.value, trust.value


def rows_archive(change: Change, rows: Iterable[MemNode]) -> None:
    """Archive the rows that are not archived. The caller has locked them and stores the change."""
    for row in rows:
        if row.archived_at is None:
            change.open(row)
            row.archived_at = change.cause.at


def rows_restore(change: Change, rows: Sequence[MemNode]) -> None:
    """Unarchive the rows and their parent directories. The caller has locked them and stores the change."""
    change.open(*rows)
    for row in rows:
        row.archived_at = row.merged_into_id = None
    for owner_id in {row.owner_id for row in rows}:
        parents_ensure(change, owner_id, [Address(row.uri) for row in rows if row.owner_id == owner_id])
