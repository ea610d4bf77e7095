"""Archive memories whose only sources are excluded messages, and restore them when one of the messages is included."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from uuid import UUID

from django.db.models import F, QuerySet

from apps.common.ids import is_id
from apps.conversations.models import Message
from apps.memory.models import MemNode, MemRevision, MemSource, NodeType, Operation, SourceKind
from apps.memory.records.tree import SourceRecord
from apps.memory.selectors.nodes import DERIVED, sources_of
from apps.memory.selectors.tree_locks import trees_share
from apps.memory.selectors.withdrawn import BY_EXCLUSION
from apps.memory.services.tree.archive import rows_archive
from apps.memory.services.tree.change_sets import Cause, Change
from apps.memory.services.tree.exclusions.links import links_follow
from apps.memory.services.tree.node_snapshot import time_json

_OUT = "Every message that it comes from is left out of its conversation."
_IN = "A message that it comes from is part of its conversation again."


def memories_exclude(message_ids: Collection[UUID]) -> None:
    """Archive, in one change, memories of any owner whose sources are all excluded. Call after excluding.

    Derived leaves are not archived but compiled again.
    """
    locked = _lock_leaves_from(message_ids, MemNode.objects.exclude(DERIVED).filter(archived_at__isnull=True))
    sources = sources_of([row.id for row in locked])
    excluded = _excluded_messages(source for found in sources.values() for source in found)
    change = Change(Cause(Operation.ARCHIVE, None, _OUT, BY_EXCLUSION))
    rows_archive(change, [row for row in locked if excluded.issuperset(sources[row.id])])
    links_follow(change, change.rows, ())
    change.store()


def memories_include(message_ids: Collection[UUID]) -> None:
    """Undo the effects of excluding these messages on nodes that have not changed since."""
    archived_leaves = _lock_leaves_from(message_ids, MemNode.objects.filter(archived_at__isnull=False))
    locked = {row.id: row for row in archived_leaves}
    revisions = MemRevision.objects.filter(
        node_id__in=locked, number=F("node__version"), operation=Operation.ARCHIVE, made_by=BY_EXCLUSION
    )
    archived = _archived_parents(locked.values())
    changes: dict[UUID, Change] = {}
    for revision in revisions.order_by("created_at", "node__uri"):
        row = locked[revision.node_id]
        if row.parent_id not in archived and revision.after.get("archived_at") == time_json(row.archived_at):
            cause = Cause(Operation.UNDO, None, _IN, BY_EXCLUSION, undoes=revision.change)
            change = changes.setdefault(revision.change, Change(cause))
            change.open(row)
            row.archived_at = None
    _store(list(changes.values()))


def _store(changes: Sequence[Change]) -> None:
    """Store the changes; the first one has the links too, because what is restored takes the slot of other memories."""
    restored = [row for change in changes for row in change.rows]
    for change in changes[:1]:
        links_follow(change, (), restored)
    for change in changes:
        change.store()


def _lock_leaves_from(message_ids: Collection[UUID], nodes: QuerySet[MemNode]) -> list[MemNode]:
    """Lock and return the leaves among these nodes, of any owner, with one of the messages as a source.

    If two conversations exclude sources of one memory concurrently, the second sees the changes of the first."""
    named = MemSource.objects.filter(kind=SourceKind.MESSAGE, reference__in=[str(one) for one in message_ids])
    ids = list(named.values_list("node_id", flat=True))
    if not ids:
        return []
    trees_share(MemNode.objects.filter(pk__in=ids).values_list("owner_id", flat=True).distinct())
    rows = nodes.select_for_update(no_key=True).filter(pk__in=ids, node_type=NodeType.LEAF)
    return list(rows.order_by("uri", "id"))


def _excluded_messages(sources: Iterable[SourceRecord]) -> frozenset[SourceRecord]:
    """Return the sources that are excluded messages."""
    named = {one.reference: one for one in sources if one.kind == SourceKind.MESSAGE}
    ids = [UUID(reference) for reference in named if is_id(reference)]
    rows = Message.objects.filter(pk__in=ids, excluded=True).values_list("pk", flat=True)
    return frozenset(named[str(message_id)] for message_id in rows if str(message_id) in named)


def _archived_parents(rows: Iterable[MemNode]) -> frozenset[UUID]:
    """Return the ids of archived parents; archiving a directory includes its content."""
    parents = MemNode.objects.filter(pk__in={row.parent_id for row in rows}, archived_at__isnull=False)
    return frozenset(parents.values_list("pk", flat=True))
