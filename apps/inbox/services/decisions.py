"""Decisions about what waits in the inbox: one change for all items of a request, so that one undo reverts it.

Approval gives a memory the trust of a person's own words, but not their date: of two values of a slot the one with the
later words is current, and the other one becomes history. Other memories that it may replace stay in use. A person can
also decide to replace them all, or to use both, after which the slot can have several values.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from uuid import UUID

from django.db.models import Q

from apps.accounts.actors import Actor, require_write
from apps.common.errors import ContinuityError, Unprocessable
from apps.common.tenancy import current_workspace_id
from apps.inbox.records import DecisionRecord, SkippedItem, Verdict
from apps.inbox.selectors.open_items import slot_key, waiting_count
from apps.inbox.services.items_lock import LockedItem, items_lock
from apps.memory.models import Decision, MemConflict, MemNode, Operation
from apps.memory.services.events import memory_announce
from apps.memory.services.tree.archive import row_approve, rows_archive
from apps.memory.services.tree.change_sets import Cause, Change
from apps.memory.services.tree.current_facts import is_current, supersede
from apps.memory.services.tree.node_checks import require_current

Decide = Callable[[Change, LockedItem], None]
DECISIONS: dict[Verdict, Decision] = {
    Verdict.REPLACE: Decision.REPLACED,
    Verdict.DECLINE: Decision.DECLINED,
}
"""What is stored about the conflicts of a decided item; otherwise that both memories remain."""


def inbox_approve(actor: Actor, *, item_ids: Collection[UUID], version: int | None = None) -> DecisionRecord:
    """Put proposed memories in use; of several values of a slot the one with the latest words is current."""
    return inbox_decide(actor, Verdict.APPROVE, Operation.APPROVE, item_ids, version, accept)


def inbox_use_both(actor: Actor, *, item_ids: Collection[UUID], version: int | None = None) -> DecisionRecord:
    """Use both the later and the earlier memory: there is no contradiction."""
    return inbox_decide(actor, Verdict.BOTH, Operation.APPROVE, item_ids, version, _require_and_use_both)


def inbox_replace(actor: Actor, *, item_ids: Collection[UUID], version: int | None = None) -> DecisionRecord:
    """Use the later memory; the earlier ones become history."""
    return inbox_decide(actor, Verdict.REPLACE, Operation.SUPERSEDE, item_ids, version, supersede_earlier)


def inbox_decline(actor: Actor, *, item_ids: Collection[UUID], version: int | None = None) -> DecisionRecord:
    """Archive proposed memories. Of two memories in use both remain: that they contradict each other is declined."""
    return inbox_decide(actor, Verdict.DECLINE, Operation.ARCHIVE, item_ids, version, _decline)


def inbox_decide(
    actor: Actor,
    verdict: Verdict,
    operation: Operation,
    item_ids: Collection[UUID],
    version: int | None,
    decide: Decide,
) -> DecisionRecord:
    """Decide items in one change. A single item that cannot be decided raises its error, others are skipped."""
    require_write(actor)
    ids = list(dict.fromkeys(item_ids))
    cause = Cause(operation, actor.user_id, REASONS[verdict])
    change, items, skipped = Change(cause), list[LockedItem](), list[SkippedItem]()
    for item_id, found in items_lock(actor, ids).items():
        try:
            items.append(_decided(change, found, version, decide))
        except ContinuityError as error:
            if len(ids) == 1:
                raise
            skipped.append(SkippedItem(item_id, error.code, error.detail))
    _store(change, items)
    conflicts_decide(actor, cause, items, DECISIONS.get(verdict, Decision.BOTH))
    done = tuple(item.id for item in items)
    return DecisionRecord(cause.change if done else None, done, tuple(skipped), waiting_count(actor))


REASONS = {
    Verdict.APPROVE: "Approved",
    Verdict.EDIT: "Edited and approved",
    Verdict.MERGE: "Merged",
    Verdict.REPLACE: "Replaced an earlier memory",
    Verdict.BOTH: "Used together with an earlier memory",
    Verdict.DECLINE: "Declined",
}


def use_both(change: Change, item: LockedItem) -> None:
    """Put a proposal in use. An attribute of which both values are used can have several."""
    accept(change, item)
    for other in item.earlier:
        if slot_key(other) == slot_key(item.later) is not None:
            change.open(item.later, other)
            item.later.many = other.many = True


def accept(change: Change, item: LockedItem) -> None:
    """Put a proposal in use; of two memories in use the later one already is."""
    if item.is_proposal:
        row_approve(change, item.later)


def supersede_earlier(change: Change, item: LockedItem) -> None:
    require_earlier(item)
    accept(change, item)
    change.open(item.later, *item.earlier)
    if item.is_proposal:
        fact_state(change, item.later)
    for other in item.earlier:
        supersede(other, item.later)


def fact_state(change: Change, row: MemNode) -> None:
    """Date a fact by the decision, in which the person states it. The caller has opened it in the change."""
    row.valid_from = change.cause.at if row.attribute else row.valid_from


def require_earlier(item: LockedItem) -> None:
    if not item.earlier:
        raise Unprocessable("There is no memory that it may replace.", code="nothing_to_replace")


def conflicts_decide(actor: Actor, cause: Cause, items: Sequence[LockedItem], decision: Decision) -> None:
    """Record the decision with the conflicts of the items."""
    proposals = [item.id for item in items if item.is_proposal]
    pairs = [item.id for item in items if not item.is_proposal]
    values = {"decided_in": cause.change, "decided_by_id": actor.user_id, "decided_at": cause.at}
    of_proposals = MemConflict.objects.filter(later_id__in=proposals)
    of_proposals.update(decision=decision, **values)
    if decision is Decision.BOTH:
        # The later words of a slot made the other memory history.
        is_history = Q(earlier__superseded_by__isnull=False) | Q(later__superseded_by__isnull=False)
        of_proposals.filter(is_history).update(decision=Decision.REPLACED)
    # Declining a possible contradiction says that there is none.
    of_pairs = Decision.BOTH if decision is Decision.DECLINED else decision
    MemConflict.objects.filter(pk__in=pairs).update(decision=of_pairs, **values)


def _decided(change: Change, found: LockedItem | ContinuityError, version: int | None, decide: Decide) -> LockedItem:
    if isinstance(found, ContinuityError):
        raise found
    require_current(found.later, version)
    item = replace(found, earlier=(*found.earlier, *_rivals(change, found)))
    decide(change, item)
    return item


def _rivals(change: Change, item: LockedItem) -> Iterator[MemNode]:
    """Yield the memories of the same slot that this change puts in use."""
    for row in change.rows:
        if is_current(row) and row.id != item.later.id and slot_key(row) == slot_key(item.later):
            yield row


def _require_and_use_both(change: Change, item: LockedItem) -> None:
    require_earlier(item)
    use_both(change, item)


def _decline(change: Change, item: LockedItem) -> None:
    if item.is_proposal:
        rows_archive(change, [item.later])


def _store(change: Change, items: Sequence[LockedItem]) -> None:
    """Store the change; a decision that changes no memory is announced all the same."""
    if not change.store() and items:
        rows = [row for item in items for row in (item.later, *item.earlier)]
        memory_announce(workspace_id=current_workspace_id(), rows=rows)
