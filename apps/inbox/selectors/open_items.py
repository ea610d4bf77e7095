"""Items that wait for a decision: proposed memories, and pairs of memories that may contradict each other.

Whether something waits follows from the memories themselves, so that undoing a decision makes it wait again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.engine.memory.trust import Arrival, Trust
from apps.memory.models import Decision, MemConflict, MemNode, NodeType
from apps.memory.selectors.nodes import may_curate, visible_nodes

_UNDECIDED = (Decision.OPEN, Decision.REPLACED)
"""A pair that was decided as replaced has one current memory, unless that was undone."""

Earlier = Mapping[UUID, tuple[MemNode, ...]]


def current(prefix: str = "") -> Q:
    """Return a filter for memories in use that hold now."""
    values = {"arrival": Arrival.ACCEPTED.value, "archived_at__isnull": True, "superseded_by__isnull": True}
    holds = Q(**{f"{prefix}valid_to__isnull": True}) | Q(**{f"{prefix}valid_to__gt": timezone.now()})
    return holds & Q(**{f"{prefix}{name}": value for name, value in values.items()})


def decidable(actor: Actor, prefix: str = "") -> Q:
    """Return a filter for the actor's own memories and, for curators, the team's."""
    own = Q(**{f"{prefix}owner_id": actor.person_id})
    return own | Q(**{f"{prefix}owner__isnull": True}) if may_curate(actor) else own


def proposals_of(rows: QuerySet[MemNode]) -> QuerySet[MemNode]:
    return rows.filter(arrival=Arrival.PROPOSED.value, archived_at__isnull=True, node_type=NodeType.LEAF)


def waiting_of(node_ids: Collection[UUID]) -> frozenset[UUID]:
    """Return those of the nodes that wait for a decision."""
    return frozenset(proposals_of(MemNode.objects.filter(pk__in=node_ids)).values_list("pk", flat=True))


def imports_waiting(node_ids: Collection[UUID]) -> frozenset[UUID]:
    """Return those of the nodes that wait because nobody confirmed their import."""
    rows = MemNode.objects.filter(pk__in=node_ids, trust=Trust.IMPORTED.value)
    return frozenset(proposals_of(rows).values_list("pk", flat=True))


def open_proposals(actor: Actor) -> QuerySet[MemNode]:
    return proposals_of(MemNode.objects.filter(decidable(actor)))


def undecided(rows: QuerySet[MemConflict]) -> QuerySet[MemConflict]:
    """Reduce conflicts to those of two memories in use that nobody decided."""
    return rows.filter(current("earlier__"), current("later__"), decision__in=_UNDECIDED)


def open_pairs(actor: Actor) -> QuerySet[MemConflict]:
    return undecided(MemConflict.objects.filter(decidable(actor, "later__"), decidable(actor, "earlier__")))


def waiting_count(actor: Actor) -> int:
    """Return how many items wait for the actor."""
    return open_proposals(actor).count() + open_pairs(actor).count()


def earlier_of(actor: Actor, rows: Collection[MemNode]) -> Earlier:
    """Return the memories in use that each of these may replace: those of its conflicts, and that of its slot."""
    by_id = {row.id: row for row in rows}
    found: dict[UUID, dict[UUID, MemNode]] = {}
    conflicts = MemConflict.objects.filter(current("earlier__"), decidable(actor, "earlier__"), later_id__in=by_id)
    for conflict in conflicts.select_related("earlier").order_by("id"):
        found.setdefault(conflict.later_id, {})[conflict.earlier_id] = conflict.earlier
    for row, other in _of_slots(actor, rows):
        found.setdefault(row.id, {}).setdefault(other.id, other)
    return {node_id: tuple(others.values()) for node_id, others in found.items()}


def slot_key(row: MemNode) -> tuple[UUID | None, str, str] | None:
    """Return whose attribute it gives, None if it has no slot or one with several values."""
    return (row.owner_id, row.subject, row.attribute) if row.attribute and not row.many else None


def _of_slots(actor: Actor, rows: Iterable[MemNode]) -> Iterable[tuple[MemNode, MemNode]]:
    slots = {row.id: slot for row in rows if (slot := slot_key(row))}
    if not slots:
        return
    wanted = Q(pk__in=[])
    for owner_id, subject, attribute in set(slots.values()):
        wanted |= Q(owner_id=owner_id, subject=subject, attribute=attribute)
    others = visible_nodes(actor).filter(wanted, current(), many=False, valid_to__isnull=True)
    by_slot = {slot_key(other): other for other in others}
    for row in rows:
        other = by_slot.get(slots.get(row.id))
        if other is not None and other.id != row.id:
            yield row, other
