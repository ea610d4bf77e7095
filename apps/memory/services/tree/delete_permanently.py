"""Permanent deletion of nodes with their revisions and passages. Tombstones (digests of address and content) stay, so
that no import or extraction restores them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any
from uuid import UUID

from django.db import connection
from django.utils import timezone
from django.utils.crypto import salted_hmac

from apps.accounts.actors import Actor
from apps.common.tenancy import current_workspace_id
from apps.engine.language.similarity import nfkc
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import PREFERENCES_OVERVIEW, Category
from apps.memory.models import MemNode, MemRevision, MemTombstone, Operation
from apps.memory.records.tree import ErasePreview
from apps.memory.selectors.nodes import in_tree, node_row, require_writable, within
from apps.memory.selectors.tree_locks import subtree_lock
from apps.memory.services.events import memory_announce
from apps.memory.services.index.passages import nodes_passages_drop
from apps.memory.services.tree.change_sets import Cause, Change, tiers_schedule
from apps.memory.services.tree.node_checks import require_current, require_free
from apps.memory.services.tree.node_snapshot import EMPTY
from apps.memory.services.tree.node_storage import directories_clear

_EXAMPLES = 10
_SALT = "memory.tombstone"
_BATCH = 1_000
# Dependent rows are deleted before the node itself.
_ERASE = (
    "DELETE FROM mem_accesses WHERE workspace_id = %(workspace)s AND node_id = ANY(%(ids)s)",
    "DELETE FROM mem_conflicts WHERE workspace_id = %(workspace)s"
    " AND (earlier_id = ANY(%(ids)s) OR later_id = ANY(%(ids)s))",
    "DELETE FROM mem_sources WHERE workspace_id = %(workspace)s AND node_id = ANY(%(ids)s)",
    "DELETE FROM mem_revisions WHERE workspace_id = %(workspace)s AND node_id = ANY(%(ids)s)",
    "DELETE FROM mem_nodes WHERE workspace_id = %(workspace)s AND id = ANY(%(ids)s)",
)


def node_erase_preview(actor: Actor, node_id: UUID) -> ErasePreview:
    """Preview the nodes that `node_erase` would delete."""
    row = node_row(actor, node_id)
    require_writable(actor, [row])
    require_free(row)
    rows = within(row.owner_id, Address(row.uri)).order_by("uri")
    return ErasePreview(rows.count(), tuple(rows.values_list("uri", flat=True)[:_EXAMPLES]))


def node_erase(actor: Actor, *, node_id: UUID, version: int | None = None) -> ErasePreview:
    """Delete a node and its subtree permanently. With a version, only if the node still has it."""
    require_writable(actor, [node_row(actor, node_id)])
    rows = subtree_lock(actor, node_id)
    require_free(rows[0])
    require_current(rows[0], version)
    rows_erase(rows, rows, actor.user_id)
    return ErasePreview(len(rows), tuple(row.uri for row in rows[:_EXAMPLES]))


def rows_erase(rows: Sequence[MemNode], remembered: Sequence[MemNode], user_id: UUID) -> None:
    """Delete locked rows with their history; a tombstone of each of the `remembered` ones prevents its return."""
    _forget_target(user_id, [row.id for row in rows])
    _store_tombstones(remembered, user_id)
    nodes_drop(rows)


def tree_drop(owner_id: UUID) -> None:
    """Delete all of a person's tree, where the person goes too."""
    nodes_drop(list(in_tree(owner_id).select_for_update()))


def nodes_drop(rows: Sequence[MemNode]) -> None:
    """Delete rows that are locked and to which no other node refers. Without tombstones they may be created again."""
    ids = {row.id for row in rows}
    _erase(list(ids))
    directories_clear(_directories_above(rows, ids))
    tiers_schedule()
    memory_announce(workspace_id=current_workspace_id(), rows=rows)


def _directories_above(rows: Sequence[MemNode], ids: Collection[UUID]) -> list[UUID]:
    """The directories whose overviews may quote the rows."""
    found: set[UUID] = set()
    for owner_id in {row.owner_id for row in rows}:
        uris = {above.text for row in rows if row.owner_id == owner_id for above in _quoting(row)}
        found |= set(in_tree(owner_id).filter(uri__in=uris).values_list("id", flat=True))
    return sorted(found - set(ids))


def _quoting(row: MemNode) -> Sequence[Address]:
    above = Address(row.uri).ancestors
    if row.category == Category.PREFERENCES:
        return (*above, *PREFERENCES_OVERVIEW.ancestors, PREFERENCES_OVERVIEW)
    return above


class Tombstones:
    """Tombstones of one tree that match any of the given addresses and contents."""

    def __init__(self, owner_id: UUID | None, addresses: Iterable[Address], contents: Iterable[str]) -> None:
        self._found: frozenset[str] = frozenset()
        rows = MemTombstone.objects.filter(owner_id=owner_id)
        if not rows.exists():
            return
        above = {one.text for address in addresses for one in (address, *address.ancestors)}
        at = rows.filter(address_digest__in=[_digest(text) for text in above])
        of = rows.filter(content_digest__in=[_digest_of(text) for text in set(contents) if text])
        self._found = frozenset(
            (*at.values_list("address_digest", flat=True), *of.values_list("content_digest", flat=True))
        )

    def matches(self, address: Address, content: str, existing: Collection[str]) -> bool:
        """Return whether the content, or the address or a parent not in `existing`, was deleted."""
        if not self._found:
            return False
        places = [one.text for one in (address, *address.ancestors) if one.text not in existing]
        digests = (*map(_digest, places), *([_digest_of(content)] if content else []))
        return not self._found.isdisjoint(digests)

    def match_content(self, content: str) -> bool:
        """Return whether the content was deleted, wherever it was."""
        return _digest_of(content) in self._found


def _forget_target(user_id: UUID, ids: Sequence[UUID]) -> None:
    """Clear the references of archived nodes that were merged into a deleted one, and of those it superseded."""
    _clear_reference(user_id, ids, "merged_into_id", "The memory it was merged into was deleted.")
    _clear_reference(user_id, ids, "superseded_by_id", "The memory that superseded it was deleted.")


def _clear_reference(user_id: UUID, ids: Sequence[UUID], field: str, reason: str) -> None:
    change = Change(Cause(Operation.EDIT, user_id, reason))
    rows = MemNode.objects.select_for_update(no_key=True).filter(**{f"{field}__in": ids}).exclude(pk__in=ids)
    for row in rows.order_by("uri", "id"):
        change.open(row)
        setattr(row, field, None)
    change.store()


def _store_tombstones(rows: Sequence[MemNode], user_id: UUID) -> None:
    """Store tombstones of all earlier addresses and contents too: an older export file contains them."""
    now = timezone.now()
    tombstones = [
        MemTombstone(
            owner_id=owner_id, address_digest=address, content_digest=content, erased_by_id=user_id, erased_at=now
        )
        for owner_id, address, content in dict.fromkeys(_digests_over_time(rows))
    ]
    MemTombstone.objects.bulk_create(tombstones, batch_size=_BATCH)


def _digests_over_time(rows: Sequence[MemNode]) -> Iterator[tuple[UUID | None, str, str]]:
    """Yield the owner of each row with digests of its current and all former addresses and contents."""
    for row in rows:
        yield row.owner_id, _digest(row.uri), _digest_of(row.l2_content)
    state: dict[str, Any] = {}
    revisions = MemRevision.objects.filter(node_id__in=[row.id for row in rows]).order_by("node_id", "number")
    for number, after in revisions.values_list("number", "after").iterator(chunk_size=_BATCH):
        state = dict(EMPTY) if number == 1 else state
        state |= {name: after[name] for name in ("owner", "uri", "l2_content") if name in after}
        yield UUID(state["owner"]) if state["owner"] else None, _digest(state["uri"]), _digest_of(state["l2_content"])


def _erase(ids: Sequence[UUID]) -> None:
    nodes_passages_drop(ids)
    with connection.cursor() as cursor:
        for statement in _ERASE:
            cursor.execute(statement, {"workspace": current_workspace_id(), "ids": list(ids)})


def _digest_of(content: str) -> str:
    """The digest of a text in normal form without surrounding whitespace; empty for an empty text."""
    return _digest(nfkc(content).strip()) if content else ""


def _digest(text: str) -> str:
    return salted_hmac(_SALT, text, algorithm="sha256").hexdigest()
