"""Decisions about everything that came from one source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from apps.accounts.actors import Actor, require_write
from apps.engine.memory.trust import Arrival
from apps.inbox.records import DecisionRecord, SourceEffect, SourceScope
from apps.inbox.selectors.open_items import proposals_of, slot_key, waiting_count
from apps.inbox.selectors.source_scopes import memories_from, named_sources, scope_check
from apps.inbox.services.decisions import inbox_decline
from apps.memory.models import MemConflict, MemNode, Operation
from apps.memory.records.tree import SourceRecord
from apps.memory.selectors.nodes import sources_of
from apps.memory.selectors.tree_locks import nodes_lock
from apps.memory.selectors.withdrawn import ARCHIVED_WITH_SOURCE
from apps.memory.services.tree.archive import rows_archive
from apps.memory.services.tree.change_sets import Cause, Change
from apps.memory.services.tree.current_facts import valid_since
from apps.memory.services.tree.successors import Links, successor_in_use, successors_restore, superseded_by

QUARANTINED = "quarantined"
"""The reason of a conflict between a memory that a quarantine made a proposal and the one that it superseded."""


class SourceAction(StrEnum):
    """What happens to memories that have no other source: they wait for approval again, or are archived."""

    QUARANTINE = "quarantine"
    ARCHIVE = "archive"


@dataclass(frozen=True, slots=True)
class _Plan:
    """Memories to take out of use, those that have other sources too, those that the first ones superseded with what
    supersedes them instead, and of these the ones that are current again."""

    affected: Sequence[MemNode]
    detached: Sequence[tuple[MemNode, tuple[SourceRecord, ...]]]
    earlier: Mapping[UUID, MemNode]
    successors: Links
    restored: Sequence[MemNode]

    def effect(self, change_id: UUID | None, waiting: int) -> SourceEffect:
        return SourceEffect(change_id, len(self.affected), len(self.detached), len(self.restored), waiting)


def source_decline(actor: Actor, *, scope: SourceScope) -> DecisionRecord:
    """Decline all proposals that have a source in the scope."""
    require_write(actor)
    scope_check(actor, scope)
    ids = list(proposals_of(memories_from(actor, scope)).values_list("pk", flat=True))
    return inbox_decline(actor, item_ids=ids)


def source_quarantine_preview(actor: Actor, *, scope: SourceScope, action: SourceAction) -> SourceEffect:
    """Preview `source_quarantine`. Nothing is written or locked."""
    scope_check(actor, scope)
    plan = _plan(actor, scope, action, list(memories_from(actor, scope).order_by("uri", "id")))
    return plan.effect(None, waiting_count(actor))


def source_quarantine(actor: Actor, *, scope: SourceScope, action: SourceAction) -> SourceEffect:
    """Take everything that came from one source out of use, in one change.

    A memory whose sources are all in the scope waits for approval again, or is archived; what it superseded is current
    again. A memory with other sources stays as it is and loses the source. History stays in a quarantine.
    """
    require_write(actor)
    scope_check(actor, scope)
    named = set(memories_from(actor, scope).values_list("pk", flat=True))
    locked = nodes_lock(actor, named | set(superseded_by(named).values_list("pk", flat=True)))
    plan = _plan(actor, scope, action, [row for row in locked.values() if row.id in named and row.archived_at is None])
    operation = Operation.ARCHIVE if action is SourceAction.ARCHIVE else Operation.EDIT
    change = Change(Cause(operation, actor.user_id, _reason(scope, action)))
    _apply(change, plan, action)
    return plan.effect(change.cause.change if change.store() else None, waiting_count(actor))


def _apply(change: Change, plan: _Plan, action: SourceAction) -> None:
    change.open(*plan.affected)
    if action is SourceAction.ARCHIVE:
        rows_archive(change, plan.affected)
    for row in plan.affected if action is SourceAction.QUARANTINE else ():
        row.arrival = Arrival.PROPOSED.value
    for row in plan.restored if action is SourceAction.QUARANTINE else ():
        values = {"reason": QUARANTINED}
        MemConflict.objects.get_or_create(earlier=row, later_id=row.superseded_by_id, defaults=values)
    successors_restore(change, plan.earlier, plan.successors)
    for row, sources in plan.detached:
        change.open(row)
        change.give_sources(row, sources)


def _plan(actor: Actor, scope: SourceScope, action: SourceAction, rows: Sequence[MemNode]) -> _Plan:
    ids = [row.id for row in rows]
    sources, named = sources_of(ids), named_sources(actor, scope, ids)
    others = {node_id: tuple(one for one in sources[node_id] if one not in found) for node_id, found in named.items()}
    whole = [row for row in rows if others.get(row.id) == ()]
    affected = [row for row in whole if action is SourceAction.ARCHIVE or _is_in_use(row)]
    detached = [(row, others[row.id]) for row in rows if others.get(row.id)]
    return _with_earlier(affected, detached)


def _is_in_use(row: MemNode) -> bool:
    return row.arrival == Arrival.ACCEPTED and row.superseded_by_id is None


def _with_earlier(affected: Sequence[MemNode], detached: Sequence[tuple[MemNode, tuple[SourceRecord, ...]]]) -> _Plan:
    links = {row.id: row.superseded_by_id for row in affected}
    found = superseded_by(links).exclude(pk__in=links)
    earlier = {row.id: row for row in sorted(found, key=lambda one: (valid_since(one), one.created_at, one.id))}
    successors = {row.id: successor_in_use(row.superseded_by_id, links, links.keys()) for row in earlier.values()}
    current = (row for row in earlier.values() if successors[row.id] is None)
    # Of one slot the last is current again; it supersedes the others.
    restored = {slot_key(row) or row.id: row for row in current}
    return _Plan(affected, detached, earlier, successors, list(restored.values()))


def _reason(scope: SourceScope, action: SourceAction) -> str:
    done = ARCHIVED_WITH_SOURCE if action is SourceAction.ARCHIVE else "Quarantined, because it came from the"
    return f"{done} {scope.kind.value} {scope.reference}"
