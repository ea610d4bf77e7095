"""Successors of superseded memories while some are out of use: the next one that is in use, or none.

A source that is taken out of use and a message that is excluded both leave such gaps.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from uuid import UUID

from django.db.models import QuerySet

from apps.memory.models import MemNode
from apps.memory.services.tree.change_sets import Change
from apps.memory.services.tree.current_facts import supersede

Links = Mapping[UUID, UUID | None]
"""What superseded each memory, by id."""


def superseded_by(ids: Iterable[UUID]) -> QuerySet[MemNode]:
    """Select the memories in use that one of these superseded."""
    return MemNode.objects.filter(superseded_by_id__in=list(ids), archived_at__isnull=True)


def successor_in_use(first: UUID | None, links: Links, out: Collection[UUID]) -> UUID | None:
    """Follow the links past memories that are out of use; None if no other one follows.

    >>> a, b, c = (UUID(int=number) for number in range(3))
    >>> successor_in_use(a, {a: b, b: c}, {a, b}) == c
    True
    >>> successor_in_use(a, {a: b, b: None}, {a, b}) is None
    True
    """
    passed: set[UUID] = set()
    while first is not None and first in out and first not in passed:
        passed.add(first)
        first = links.get(first)
    return None if first in out else first


def successors_restore(change: Change, rows: Mapping[UUID, MemNode], successors: Links) -> None:
    """Let the given successors supersede the rows. A row without one is current again, unless another memory of its
    slot is later. The caller has locked the rows and stores the change."""
    later = MemNode.objects.in_bulk([one for one in successors.values() if one])
    change.open(*(rows[node_id] for node_id in successors))
    for node_id, later_id in successors.items():
        if later_id in later:
            supersede(rows[node_id], later[later_id])
        else:
            rows[node_id].valid_to = rows[node_id].superseded_by_id = None
