"""Histories of memories in our own export, their links to each other, and possible contradictions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from uuid import UUID, uuid5

from django.db import DataError, IntegrityError, transaction

from apps.common.errors import ContinuityError
from apps.common.tenancy import current_workspace_id
from apps.conversations.field_checks import BadMessage, required_text
from apps.memory.models import Decision, Operation, SourceKind
from apps.memory.records.tree import SourceRecord
from apps.memory.selectors.nodes import sources_of
from apps.memory.services.bulk.restore import (
    NodeLinks,
    conflict_restore,
    histories_restore,
    history_continue,
    links_restore,
)
from apps.memory.services.bulk.restored_revisions import RestoredRevision, values_checked
from apps.transfer.formats.fields import Fields, object_of, required_date, short_of
from apps.transfer.formats.own_items import NodeConflictItem, NodeHistoryItem, one_of
from apps.transfer.models import ImportStatus
from apps.transfer.services.imports.batch import Batch
from apps.transfer.services.imports.outcomes import NOT_CONFIRMED, NotImported, Outcome, attempt
from apps.transfer.services.imports.restore.references import OWNER, References, sources_in

_LONGEST_REASON = 500
_Known = Mapping[UUID, Sequence[SourceRecord]]
"""The sources of the batch's memories."""


def link_add(batch: Batch, outcome: Outcome, item: NodeHistoryItem | NodeConflictItem) -> None:
    """Add what links memories to the batch, which writes its memories first.

    Memories that wait for a person have no history yet: a revision of it could be restored without their decision.
    """
    if not batch.confirmed:
        raise NotImported(ImportStatus.SKIPPED, NOT_CONFIRMED)
    batch.links.append((outcome, item))


def links_write(batch: Batch) -> None:
    """Restore histories and links of memories, each in a savepoint of its own."""
    if not batch.links:
        return
    histories = [item for _, item in batch.links if isinstance(item, NodeHistoryItem)]
    references = References(batch)
    references.load_nodes({name for _, item in batch.links for name in _named(item)})
    references.load([source for item in histories for source in _sources(item)])
    known = sources_of(node_id for item in histories if (node_id := references.node(item.node)))
    begun = _begun(batch, references, known)
    for outcome, item in batch.links:
        attempt(outcome, partial(_link, batch, references, known, begun, outcome, item))


def _named(item: NodeHistoryItem | NodeConflictItem) -> tuple[str, ...]:
    return (item.earlier, item.later) if isinstance(item, NodeConflictItem) else (item.node,)


def _sources(item: NodeHistoryItem) -> Iterator[Fields]:
    yield from item.sources
    for one in item.revisions:
        yield from (*sources_in(one.get("before")), *sources_in(one.get("after")))


def _begun(batch: Batch, references: References, known: _Known) -> dict[str, bool]:
    """Store the beginnings of all histories at once; return by the items' keys whether that was possible.

    One that cannot be read or stored is left out: it is tried alone, with the reason as its result.
    """
    histories: dict[UUID, tuple[str, list[RestoredRevision]]] = {}
    for outcome, item in batch.links:
        if isinstance(item, NodeHistoryItem) and item.number == 1:
            with suppress(NotImported, BadMessage, ContinuityError):
                node_id = references.imported(item.node)
                histories[node_id] = outcome.key, _revisions(batch, references, known, node_id, item)
    try:
        with transaction.atomic():
            stored = histories_restore({node_id: revisions for node_id, (_, revisions) in histories.items()})
    except (DataError, IntegrityError, ContinuityError):
        return {}
    return {key: node_id in stored for node_id, (key, _) in histories.items()}


def _link(
    batch: Batch,
    references: References,
    known: _Known,
    begun: Mapping[str, bool],
    outcome: Outcome,
    item: NodeHistoryItem | NodeConflictItem,
) -> None:
    if isinstance(item, NodeConflictItem):
        _conflict_store(references, item)
        return
    outcome.node_id = node_id = references.imported(item.node)
    is_stored = begun.get(outcome.key)
    if is_stored is None:
        is_stored = _store_alone(node_id, item, _revisions(batch, references, known, node_id, item))
    if not is_stored:
        raise NotImported(ImportStatus.EXISTING, "changed_since")
    links_restore(node_id, _links(references, item))


def _store_alone(node_id: UUID, item: NodeHistoryItem, revisions: Sequence[RestoredRevision]) -> bool:
    if item.number > 1:
        return history_continue(node_id, first=item.number, revisions=revisions)
    return node_id in histories_restore({node_id: revisions})


def _revisions(
    batch: Batch, references: References, known: _Known, node_id: UUID, item: NodeHistoryItem
) -> list[RestoredRevision]:
    own = [one for one in known.get(node_id, ()) if one.kind == SourceKind.IMPORT]
    return [
        _revision(batch, references, one, own, is_first=item.number + place == 1)
        for place, one in enumerate(item.revisions)
    ]


def _links(references: References, item: NodeHistoryItem) -> NodeLinks:
    merged_from = [references.node(one) for one in item.merged_from]
    return NodeLinks(
        superseded_by=references.node(item.superseded_by),
        merged_into=references.node(item.merged_into),
        merged_from=tuple(str(one) for one in merged_from if one),
        archived_at=item.archived_at,
        sources=tuple(references.source_records(item.sources)),
    )


def _revision(
    batch: Batch, references: References, fields: Fields, own: Sequence[SourceRecord], *, is_first: bool
) -> RestoredRevision:
    undoes = short_of(fields, "undoes")
    states = [references.snapshot(object_of(fields, name), own) for name in ("before", "after")]
    before, after = values_checked(*states, is_first=is_first)
    return RestoredRevision(
        change=_change(batch, required_text(fields, "change")),
        operation=Operation(one_of(required_text(fields, "operation"), tuple(Operation.values))),
        undoes=_change(batch, undoes) if undoes else None,
        actor_id=batch.actor.user_id if fields.get("by") == OWNER else None,
        made_by=short_of(fields, "made_by", 120),
        reason=short_of(fields, "reason", _LONGEST_REASON),
        before=before,
        after=after,
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
