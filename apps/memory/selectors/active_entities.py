"""The entities that a person uses most, with their memories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from uuid import UUID

from django.db.models import Q
from django.db.models.functions import Coalesce

from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import RULES, Category, entity_of
from apps.engine.memory.decay import Strength, relevance_at
from apps.engine.policy import Policy
from apps.memory.models import MemNode
from apps.memory.selectors.nodes import at_or_below, current_leaves, in_tree, unused_leaves

ENTITIES_ROOT = RULES[Category.ENTITIES].root
_MOST_SCORED, _MOST_FACTS, _MOST_UNUSED = 2_000, 1_000, 100


@dataclass(frozen=True, slots=True)
class ActiveEntity:
    """An entity, its `directory` if it is one, its memories that hold now, and those that are not in use."""

    address: Address
    directory: MemNode | None
    facts: tuple[MemNode, ...]
    unused: tuple[MemNode, ...]


def active_entities(owner_id: UUID, *, policy: Policy, now: datetime, most: int) -> list[ActiveEntity]:
    """Return the entities with the highest access count × relevance, best first.

    An entity is accessed with each of its memories and as relevant as the most relevant one. Only the 2,000 memories
    that were used last count.
    """
    addresses = _ranked(owner_id, policy, now)[:most]
    if not addresses:
        return []
    inside = reduce(or_, map(at_or_below, addresses))
    facts = _by_entity(current_leaves(owner_id).filter(inside).order_by("-last_access", "uri")[:_MOST_FACTS])
    unused = _by_entity(unused_leaves(owner_id).filter(inside).order_by("-id")[:_MOST_UNUSED])
    directories = {row.uri: row for row in in_tree(owner_id).filter(uri__in=[one.text for one in addresses])}
    return [
        ActiveEntity(one, directories.get(one.text), tuple(facts.get(one, ())), tuple(unused.get(one, ())))
        for one in addresses
    ]


def _ranked(owner_id: UUID, policy: Policy, now: datetime) -> list[Address]:
    rows = current_leaves(owner_id).filter(at_or_below(ENTITIES_ROOT) & ~Q(uri=ENTITIES_ROOT.text))
    rows = rows.annotate(counted_from=Coalesce("last_access", "occurred_at")).order_by("-counted_from", "uri")
    accesses, relevance = dict[Address, int](), dict[Address, float]()
    for uri, count, base, counted_from in rows.values_list("uri", "access_count", "base_relevance", "counted_from")[
        :_MOST_SCORED
    ]:
        if entity := entity_of(Address.stored(uri)):
            own = relevance_at(Strength(base, counted_from.timestamp()), now.timestamp(), policy)
            accesses[entity] = accesses.get(entity, 0) + count
            relevance[entity] = max(relevance.get(entity, 0.0), own)
    return sorted(accesses, key=lambda one: (-accesses[one] * relevance[one], -relevance[one], one))


def _by_entity(rows: Iterable[MemNode]) -> dict[Address, Sequence[MemNode]]:
    found: dict[Address, list[MemNode]] = {}
    for row in rows:
        if entity := entity_of(Address.stored(row.uri)):
            found.setdefault(entity, []).append(row)
    return dict(found)
