"""One current memory per slot: what comes into use supersedes another one of its slot, or is superseded by it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from uuid import UUID

from django.db import connection
from django.utils import timezone

from apps.common.tenancy import current_workspace_id
from apps.engine.memory.slots import Slot
from apps.engine.memory.trust import Arrival
from apps.memory.models import MemNode
from apps.memory.selectors.nodes import current_leaves, in_tree

_LOCK = """
SELECT pg_advisory_xact_lock(hashtextextended(slot, 0)) FROM unnest(%s::text[]) AS slot
"""


def is_current(row: MemNode) -> bool:
    """Whether the memory is the current value of an attribute that has one value."""
    in_use = row.arrival == Arrival.ACCEPTED and row.archived_at is None and row.valid_to is None
    return bool(row.attribute) and not row.many and in_use


def is_valid_now(row: MemNode) -> bool:
    """Whether nothing superseded the memory, and a passing state has not ended."""
    return row.valid_to is None or (row.superseded_by_id is None and row.valid_to > timezone.now())


def valid_since(row: MemNode) -> datetime:
    return row.valid_from or row.created_at


def rivals_lock(rows: Sequence[MemNode]) -> Iterator[Sequence[MemNode]]:
    """Yield the current memories of each slot that has several, in the order of their words.

    They are some of `rows` and at most one other memory, which is locked. Of words of one time those of `rows` are the
    later ones. Concurrent changes of a slot wait for each other.
    """
    current = [row for row in rows if is_current(row)]
    if not current:
        return
    slots_lock(current)
    known = {row.id for row in rows}
    slots = defaultdict[tuple[UUID | None, str, str], list[MemNode]](list)
    for row in sorted(current, key=lambda one: (one.created_at, one.id)):
        slots[row.owner_id, row.subject, row.attribute].append(row)
    for slot, found in slots.items():
        other = current_of(*slot, known)
        rivals = [*([other] if other else []), *found]
        if len(rivals) > 1:
            yield sorted(rivals, key=valid_since)


def current_of(owner_id: UUID | None, subject: str, attribute: str, without: Iterable[UUID] = ()) -> MemNode | None:
    """Lock and return the current memory of a slot."""
    rows = current_leaves(owner_id).select_for_update(of=("self",), no_key=True).exclude(pk__in=list(without))
    return rows.filter(subject=subject, attribute=attribute, many=False, valid_to__isnull=True).first()


def slots_taken(owner_id: UUID | None, slots: Iterable[Slot]) -> set[tuple[str, str]]:
    """Return the subjects and attributes of the slots that have a current memory; other changes of them wait."""
    wanted = {(one.subject, one.attribute) for one in slots}
    if not wanted:
        return set()
    _lock([(owner_id, *one) for one in wanted])
    rows = current_leaves(owner_id).filter(many=False, valid_to__isnull=True, subject__in={one for one, _ in wanted})
    return set(rows.values_list("subject", "attribute")) & wanted


def slot_neighbors(owner_id: UUID | None, slot: Slot, at: datetime) -> tuple[MemNode | None, MemNode | None]:
    """Lock and return the values of a slot before and after a time."""
    rows = in_tree(owner_id).select_for_update(of=("self",), no_key=True).filter(archived_at__isnull=True)
    values = rows.filter(subject=slot.subject, attribute=slot.attribute, many=False, arrival=Arrival.ACCEPTED.value)
    ordered = sorted(values, key=valid_since)
    before = [row for row in ordered if valid_since(row) < at]
    after = [row for row in ordered if valid_since(row) > at]
    return (before[-1] if before else None), (after[0] if after else None)


def slots_lock(rows: Iterable[MemNode]) -> None:
    """Wait for other changes of these slots, until the end of the transaction."""
    _lock([(row.owner_id, row.subject, row.attribute) for row in rows])


def _lock(slots: Iterable[tuple[UUID | None, str, str]]) -> None:
    names = {
        f"slot {current_workspace_id()} {owner_id} {subject} {attribute}" for owner_id, subject, attribute in slots
    }
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [sorted(names)])


def supersede(earlier: MemNode, later: MemNode) -> None:
    """Set the end of a memory's validity; the caller has opened it in a change and stores that."""
    earlier.valid_to = max(valid_since(later), valid_since(earlier))
    earlier.superseded_by_id = later.id
