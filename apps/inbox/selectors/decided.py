"""Decisions of the past, read from the revisions that they made and from decided conflicts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from django.db.models import Q, QuerySet

from apps.accounts.actors import Actor
from apps.common.pagination import Page
from apps.engine.memory.trust import Arrival
from apps.inbox.records import DecidedRecord, Verdict
from apps.inbox.selectors.open_items import decidable
from apps.memory.models import Decision, MemConflict, MemRevision, Operation
from apps.memory.selectors.revisions import is_undone, name_of, undoing_of

QUARANTINE = "quarantine"
VERDICTS = (*(verdict.value for verdict in Verdict), QUARANTINE)

_BY_PERSON = Q(actor__isnull=False, made_by="", undoes__isnull=True)
_DECIDED = (
    Q(before__arrival=Arrival.PROPOSED.value)
    | Q(operation=Operation.ARCHIVE, node__arrival=Arrival.PROPOSED.value)
    | Q(operation=Operation.EDIT, after__arrival=Arrival.PROPOSED.value)
)
_OF_OPERATION: Mapping[str, str] = {
    Operation.APPROVE: Verdict.APPROVE.value,
    Operation.SUPERSEDE: Verdict.REPLACE.value,
    Operation.MERGE: Verdict.MERGE.value,
    Operation.ARCHIVE: Verdict.DECLINE.value,
    Operation.EDIT: QUARANTINE,
}


def decided_page(actor: Actor, *, after: str | None = None, limit: int) -> Page[DecidedRecord]:
    """Return a page of decisions about the memories that the actor decides about, newest first."""
    before = UUID(after) if after else None
    changes = sorted({*_of_memories(actor, before, limit), *_of_pairs(actor, before, limit)}, reverse=True)
    shown = changes[:limit]
    return Page(_records(actor, shown), str(shown[-1]) if len(changes) > limit else None)


def _of_memories(actor: Actor, before: UUID | None, limit: int) -> Collection[UUID]:
    rows = _revisions(actor).filter(change__lt=before) if before else _revisions(actor)
    return rows.order_by("-change").values_list("change", flat=True).distinct()[: limit + 1]


def _of_pairs(actor: Actor, before: UUID | None, limit: int) -> Sequence[UUID]:
    rows = _conflicts(actor).filter(decided_in__lt=before) if before else _conflicts(actor)
    changes = rows.order_by("-decided_in").values_list("decided_in", flat=True).distinct()[: limit + 1]
    return [change for change in changes if change]


def _revisions(actor: Actor) -> QuerySet[MemRevision]:
    return MemRevision.objects.filter(_BY_PERSON, _DECIDED, decidable(actor, "node__"), operation__in=_OF_OPERATION)


def _conflicts(actor: Actor) -> QuerySet[MemConflict]:
    rows = MemConflict.objects.filter(decidable(actor, "later__"), decided_in__isnull=False)
    return rows.exclude(decision=Decision.OPEN)


def _records(actor: Actor, changes: Sequence[UUID]) -> list[DecidedRecord]:
    revisions, pairs = defaultdict(list), defaultdict(list)
    for row in _revisions(actor).filter(change__in=changes).select_related("node", "actor").order_by("id"):
        revisions[row.change].append(row)
    for pair in _conflicts(actor).filter(decided_in__in=changes).select_related("later", "decided_by").order_by("id"):
        pairs[pair.decided_in].append(pair)
    nodes = {row.node_id for rows in revisions.values() for row in rows}
    undoing = undoing_of([*nodes, *(pair.later_id for found in pairs.values() for pair in found)])
    return [
        _of_revisions(revisions[change], pairs[change], undone=is_undone(change, undoing))
        if revisions[change]
        else _of_conflicts(pairs[change], undone=is_undone(change, undoing))
        for change in changes
    ]


def _of_revisions(rows: Sequence[MemRevision], pairs: Sequence[MemConflict], *, undone: bool) -> DecidedRecord:
    first = rows[0]
    verdict = _OF_OPERATION[first.operation]
    if verdict == Verdict.APPROVE:
        rewritten = "l2_content" in first.after or "uri" in first.after
        has_both = any(pair.decision == Decision.BOTH for pair in pairs)
        verdict = Verdict.EDIT.value if rewritten else Verdict.BOTH.value if has_both else verdict
    return DecidedRecord(
        change_id=first.change,
        verdict=verdict,
        memory_id=first.node_id,
        uri=first.node.uri,
        text=first.node.l0_abstract,
        count=len({row.node_id for row in rows} | {pair.later_id for pair in pairs}),
        actor_name=name_of(first.actor),
        decided_at=first.created_at,
        undone=undone,
    )


def _of_conflicts(pairs: Sequence[MemConflict], *, undone: bool) -> DecidedRecord:
    first = pairs[0]
    if first.decided_in is None or first.decided_at is None:
        raise ValueError("the conflict is open")
    verdict = Verdict.REPLACE if first.decision == Decision.REPLACED else Verdict.BOTH
    return DecidedRecord(
        change_id=first.decided_in,
        verdict=verdict.value,
        memory_id=first.later_id,
        uri=first.later.uri,
        text=first.later.l0_abstract,
        count=len({pair.later_id for pair in pairs}),
        actor_name=name_of(first.decided_by),
        decided_at=first.decided_at,
        undone=undone,
    )
