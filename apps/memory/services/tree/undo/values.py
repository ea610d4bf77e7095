"""Restore of the field values before a change."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from apps.common.models import Json
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import FIXED
from apps.memory.models import MemNode, MemRevision
from apps.memory.services.tree.change_sets import Change
from apps.memory.services.tree.content_tiers import tiers_of_content
from apps.memory.services.tree.node_snapshot import (
    DERIVED,
    PERSON,
    STRENGTH,
    restore_values,
    same,
    sources_read,
    state_of,
)
from apps.memory.services.tree.node_storage import is_directory


def values_put_back(
    change: Change, revisions: Mapping[UUID, MemRevision], rows: Sequence[MemNode], leaving: Collection[UUID]
) -> None:
    for row in reversed(rows):
        revision = revisions[row.id]
        if revision.number == 1:
            _unmake(change, row, leaving)
        else:
            _put_back(change, row, revision, leaving)


def _unmake(change: Change, row: MemNode, leaving: Collection[UUID]) -> None:
    """Archive a node that the change created, except fixed directories and directories that are in use."""
    if Address(row.uri) not in FIXED and not _holds_something(change, row, leaving):
        change.open(row)
        row.archived_at = change.cause.at


def _holds_something(change: Change, row: MemNode, leaving: Collection[UUID]) -> bool:
    """Return whether a directory will have active content; nodes that leave it are ignored."""
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
    restore_values(row, values)
    if "sources" in values:
        change.give_sources(row, sources_read(values["sources"]))
    if row.l2_content != content:
        _tiers_back(row, revision.before)
    elif row.tiers_by == PERSON:
        row.tiers_of, row.tries_left = row.content_hash, 0
    if was_in_use and row.archived_at and _holds_something(change, row, leaving):
        row.archived_at = None


def _tiers_back(row: MemNode, before: Json) -> None:
    """Restore the tiers of the restored content, or derive new ones."""
    if row.tiers_by != PERSON and not DERIVED & before.keys():
        tiers_of_content(row)
    row.tiers_of, row.tries_left = row.content_hash, 0
