"""The entities that a person uses most, with their memories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice
from uuid import UUID

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from apps.common.reads import fetch_rows
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import RULES, Category, entity_of
from apps.engine.memory.decay import Strength, relevance_at
from apps.engine.memory.entity_names import LastingNames
from apps.engine.policy import Policy
from apps.memory.models import MemNode, NodeType
from apps.memory.selectors.nodes import at_or_below, current_leaves, in_tree, unused_leaves

ENTITIES_ROOT = RULES[Category.ENTITIES].root
_EXISTING = """
SELECT uri FROM mem_nodes
WHERE workspace_id = %(workspace)s AND owner_id = %(owner)s AND uri = ANY(%(uris)s::varchar[]) AND archived_at IS NULL
"""
_MOST_SCORED, _MOST_FACTS, _MOST_UNUSED = 2_000, 50, 100
_COUNTED_FROM = Coalesce("last_access", "occurred_at")


@dataclass(frozen=True, slots=True)
class ActiveEntity:
    """An entity, its `directory` unless it is a single memory, and its memories that hold now, last used first."""

    address: Address
    directory: MemNode | None
    facts: tuple[MemNode, ...]


def active_entities(owner_id: UUID, *, policy: Policy, now: datetime, most: int) -> list[ActiveEntity]:
    """Return the entities with the highest access count × relevance, best first.

    An entity is accessed with each of its memories and as relevant as the most relevant one. Only the 2,000 memories
    that were used last count.
    """
    addresses = _ranked(owner_id, policy, now)[:most]
    directories = in_tree(owner_id).filter(uri__in=[one.text for one in addresses], node_type=NodeType.DIRECTORY)
    by_uri = {row.uri: row for row in directories}
    return [ActiveEntity(one, by_uri.get(one.text), _facts(owner_id, one)) for one in addresses]


def memories_of_entities(owner_id: UUID, names: LastingNames, *, most: int) -> list[MemNode]:
    """Return the current memories of the first `most` entities that a conversation names, each last used first."""
    addresses = [f"{ENTITIES_ROOT}/{name}" for name in names.names if name]
    existing = {uri for (uri,) in fetch_rows(_EXISTING, owner=owner_id, uris=addresses)}
    facts = (_facts(owner_id, Address.stored(address)) for address in addresses if address in existing)
    meant = (rows for rows in facts if rows and _is_meant(names, rows))
    return list(chain(*islice(meant, most)))


def _is_meant(names: LastingNames, rows: Sequence[MemNode]) -> bool:
    entity = entity_of(Address.stored(rows[0].uri))
    return entity is not None and names.means(entity.name, [row.l0_abstract for row in rows])


def unused_entity_rows(owner_id: UUID) -> QuerySet[MemNode]:
    """Select memories of entities that wait or have ended, last used first."""
    return _last_used(unused_leaves(owner_id).filter(at_or_below(ENTITIES_ROOT)))[:_MOST_UNUSED]


def _facts(owner_id: UUID, entity: Address) -> tuple[MemNode, ...]:
    """One range of the index: an entity with many memories must not displace those of others."""
    return tuple(_last_used(current_leaves(owner_id).filter(at_or_below(entity)))[:_MOST_FACTS])


def _ranked(owner_id: UUID, policy: Policy, now: datetime) -> list[Address]:
    rows = current_leaves(owner_id).filter(at_or_below(ENTITIES_ROOT) & ~Q(uri=ENTITIES_ROOT.text))
    scored = _last_used(rows).values_list("uri", "access_count", "base_relevance", _COUNTED_FROM)[:_MOST_SCORED]
    accesses, relevance = dict[Address, int](), dict[Address, float]()
    for uri, count, base, counted_from in scored:
        if entity := entity_of(Address.stored(uri)):
            own = relevance_at(Strength(base, counted_from.timestamp()), now.timestamp(), policy)
            accesses[entity] = accesses.get(entity, 0) + count
            relevance[entity] = max(relevance.get(entity, 0.0), own)
    return sorted(accesses, key=lambda one: (-accesses[one] * relevance[one], -relevance[one], one))


def _last_used(rows: QuerySet[MemNode]) -> QuerySet[MemNode]:
    return rows.order_by(_COUNTED_FROM.desc(), "uri").defer("l2_content")
