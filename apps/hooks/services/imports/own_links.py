"""Histories of memories in our own export, their links to each other, and possible contradictions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from uuid import UUID, uuid5

from apps.common.errors import Conflict
from apps.common.tenancy import current_workspace_id
from apps.conversations.imports.field_checks import required_text
from apps.hooks.imports.fields import Fields, object_of, required_date, short_of
from apps.hooks.imports.own_items import NodeConflictItem, NodeHistoryItem, one_of
from apps.hooks.models import ImportStatus
from apps.hooks.services.imports.batch import Batch
from apps.hooks.services.imports.outcomes import NotImported, Outcome, attempt
from apps.hooks.services.imports.own_references import OWNER, References, sources_in
from apps.memory.models import Decision, Operation, SourceKind
from apps.memory.records.tree import SourceRecord
from apps.memory.selectors.nodes import sources_of
from apps.memory.services.bulk.restore import (
    NodeLinks,
    RestoredRevision,
    conflict_restore,
    history_restore,
    links_restore,
    snapshot_checked,
)

_LONGEST_REASON = 500


def link_add(batch: Batch, outcome: Outcome, item: NodeHistoryItem | NodeConflictItem) -> None:
    """Add what links memories to the batch, which writes its memories first."""
    batch.links.append((outcome, item))


def links_write(batch: Batch) -> None:
    """Restore histories and links of memories, each in a savepoint of its own."""
    references = References(batch)
    for outcome, item in batch.links:
        attempt(outcome, partial(_link, batch, references, outcome, item))


def _link(batch: Batch, references: References, outcome: Outcome, item: NodeHistoryItem | NodeConflictItem) -> None:
    if isinstance(item, NodeConflictItem):
        _conflict_store(references, item)
    else:
        _history_store(batch, references, outcome, item)


def _history_store(batch: Batch, references: References, outcome: Outcome, item: NodeHistoryItem) -> None:
    outcome.node_id = references.imported(item.node)
    history = [source for one in item.revisions for name in ("before", "after") for source in sources_in(one.get(name))]
    references.load([*history, *item.sources])
    own = [one for one in sources_of([outcome.node_id]).get(outcome.node_id, ()) if one.kind == SourceKind.IMPORT]
    revisions = [_revision(batch, references, one, own) for one in item.revisions]
    try:
        row = history_restore(outcome.node_id, first=item.number, revisions=revisions)
    except Conflict as conflict:
        raise NotImported(ImportStatus.EXISTING, conflict.code) from None
    if item.number == 1:
        links_restore(row, _links(references, item))


def _links(references: References, item: NodeHistoryItem) -> NodeLinks:
    merged_from = [references.node(one) for one in item.merged_from]
    return NodeLinks(
        superseded_by=references.node(item.superseded_by),
        merged_into=references.node(item.merged_into),
        merged_from=tuple(str(one) for one in merged_from if one),
        archived_at=item.archived_at,
        sources=tuple(references.source_records(item.sources)),
    )


def _revision(batch: Batch, references: References, fields: Fields, own: Sequence[SourceRecord]) -> RestoredRevision:
    undoes = short_of(fields, "undoes")
    return RestoredRevision(
        change=_change(batch, required_text(fields, "change")),
        operation=Operation(one_of(required_text(fields, "operation"), tuple(Operation.values))),
        undoes=_change(batch, undoes) if undoes else None,
        actor_id=batch.actor.user_id if fields.get("by") == OWNER else None,
        made_by=short_of(fields, "made_by", 120),
        reason=short_of(fields, "reason", _LONGEST_REASON),
        before=snapshot_checked(references.snapshot(object_of(fields, "before"), own)),
        after=snapshot_checked(references.snapshot(object_of(fields, "after"), own)),
        created_at=required_date(fields, "created_at"),
    )


def _change(batch: Batch, change: str) -> UUID:
    """The change's id here: the same for all memories that it changed, and another one for every importer."""
    return uuid5(batch.actor.user_id, f"{current_workspace_id()} {change}")


def _conflict_store(references: References, item: NodeConflictItem) -> None:
    earlier, later = references.imported(item.earlier), references.imported(item.later)
    decision = one_of(item.decision, tuple(Decision.values))
    if not conflict_restore(earlier, later, reason=item.reason, decision=decision, decided_at=item.decided_at):
        raise NotImported(ImportStatus.EXISTING, "known_conflict")
