"""Checks before an undo: nothing that the change wrote has changed since, and the actor has the rights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import Conflict, Forbidden
from apps.common.models import Json
from apps.memory.models import MemNode, MemRevision
from apps.memory.selectors.nodes import require_curator, sources_of
from apps.memory.services.tree.node_snapshot import (
    DERIVED,
    PERSON,
    STRENGTH,
    same,
    sources_json,
    state_of,
)

PLACE_FIELDS = frozenset({"uri", "owner"})


# A new node keeps its address and owner when its creation is undone: it is archived.
_NOT_OF_A_CREATE = STRENGTH | PLACE_FIELDS


def require_owner(actor: Actor, before: Iterable[Json]) -> None:
    """Allow an undo to return a shared node only to the actor, and to give one to the team only to a curator."""
    owners = {one["owner"] for one in before if "owner" in one}
    if owners - {None, str(actor.person_id)}:
        raise Forbidden("Only the previous owner can undo this.", code="owner_only")
    if None in owners:
        require_curator(actor)


def require_unchanged(revisions: Mapping[UUID, MemRevision], rows: Sequence[MemNode]) -> None:
    sources = sources_of(revisions)
    fields: set[str] = set()
    for row in rows:
        if revision := revisions.get(row.id):
            now = {**state_of(row), "sources": sources_json(sources.get(row.id, ()))}
            fields |= {name for name in _compared(row, revision) if not same(name, now[name], revision.after[name])}
            if revision.number == 1 and row.archived_at is not None:
                fields.add("archived_at")
    if fields:
        raise changed_since(fields)


def require_whole(leaving: Mapping[UUID, Json], below: Mapping[UUID, Sequence[MemNode]]) -> None:
    """Raise an error if a node that changes owner has descendants which do not change with it."""
    for node_id, rows in below.items():
        if "owner" in leaving[node_id] and any(row.id not in leaving for row in rows):
            raise changed_since({"children"})


def _compared(row: MemNode, revision: MemRevision) -> frozenset[str]:
    """Return the fields that must be unchanged since the change."""
    ignored = _NOT_OF_A_CREATE if revision.number == 1 else STRENGTH
    return frozenset(revision.after) - ignored - (DERIVED if row.tiers_by != PERSON else frozenset())


def changed_since(fields: set[str]) -> Conflict:
    named: dict[str, Any] = {"fields": sorted(fields)}
    return Conflict(
        "The memory was changed again later. Undo the later change first.", code="changed_since", extra=named
    )
