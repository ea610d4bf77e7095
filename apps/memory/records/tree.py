"""Nodes of the memory tree and their revisions as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import decays
from apps.engine.memory.decay import Strength, relevance_at
from apps.engine.memory.tree import Hunk
from apps.engine.memory.trust import Trust, is_inferred
from apps.engine.policy import Policy
from apps.memory.models import MemNode, NodeType


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """The source of a node; `reference` is an id or the name of an import."""

    kind: str
    reference: str


@dataclass(frozen=True, slots=True)
class NodeRecord:
    """A node. `relevance` is as of the time of reading; `shared` nodes are visible to all members of the workspace."""

    id: UUID
    uri: str
    node_type: str
    category: str
    owner_id: UUID | None
    shared: bool
    abstract: str
    overview: str
    content: str
    tags: tuple[str, ...]
    trust: str
    inferred: bool
    arrival: str
    author_id: UUID | None
    occurred_at: datetime
    archived_at: datetime | None
    merged_into: UUID | None
    merged_from: tuple[str, ...]
    subject: str
    attribute: str
    value: str
    many: bool
    valid_from: datetime | None
    valid_to: datetime | None
    superseded_by: UUID | None
    relevance: float
    base_relevance: float
    last_access: datetime | None
    access_count: int
    tiers_by: str
    tiers_stale: bool
    sources: tuple[SourceRecord, ...]
    child_count: int
    version: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class FactValue:
    """A memory that held at another time than the one whose history it is in."""

    id: UUID
    uri: str
    abstract: str
    value: str
    valid_from: datetime | None
    valid_to: datetime | None


@dataclass(frozen=True, slots=True)
class DecayPoint:
    """The relevance `day` days from now; days in the past are negative."""

    day: float
    relevance: float


@dataclass(frozen=True, slots=True)
class DecayRecord:
    """The inputs of the relevance and its curve around now, which is empty for an exempt node."""

    half_life_days: int
    floor: float
    exempt: bool
    age_days: float
    curve: tuple[DecayPoint, ...]


@dataclass(frozen=True, slots=True)
class NodeLine:
    """A node as a line of a listing; `depth` is how far below the listed address it lies, from one on."""

    id: UUID
    uri: str
    name: str
    node_type: str
    category: str
    abstract: str
    owner_id: UUID | None
    shared: bool
    trust: str
    arrival: str
    relevance: float
    archived_at: datetime | None
    valid_to: datetime | None
    child_count: int
    depth: int
    version: int
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class RevisionRecord:
    """One write of one node; `before` and `after` contain only `fields`, `hunks` the changed lines of the content.

    `undone` is true if the change was undone and not redone since; `cut` names the truncated fields.
    """

    id: UUID
    change_id: UUID
    number: int
    operation: str
    actor_id: UUID | None
    actor_name: str
    made_by: str
    reason: str
    undoes: UUID | None
    undone: bool
    created_at: datetime
    before: dict[str, Any]
    after: dict[str, Any]
    fields: tuple[str, ...]
    hunks: tuple[Hunk, ...]
    cut: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ErasePreview:
    """The number of nodes that would be permanently deleted, with example addresses."""

    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CreatePreview:
    """The address that a draft would get. If `taken`, another memory has it: a chosen address is refused, one derived
    from a name gets a number. If it is `existing`, that memory says the same, and none is created."""

    uri: str
    category: str
    taken: bool
    existing: bool = False


@dataclass(frozen=True, slots=True)
class MergePreview:
    """The content and trust that the target of a merge would have."""

    content: str
    trust: str


@dataclass(frozen=True, slots=True)
class ItemResult:
    """The result of one item of a batch: `created`, `updated`, `unchanged`, or `refused` with a code and the reason."""

    position: int
    state: str
    node_id: UUID | None
    uri: str
    code: str = ""
    detail: str = ""


def strength_of(row: MemNode) -> Strength:
    """Return the values that determine the node's relevance."""
    counted_from = row.last_access or row.occurred_at
    exempt = not decays(Address.stored(row.uri), is_directory=row.node_type == NodeType.DIRECTORY)
    return Strength(row.base_relevance, counted_from.timestamp(), exempt)


def node_record(
    row: MemNode, *, policy: Policy, now: datetime, sources: Sequence[SourceRecord] = (), child_count: int = 0
) -> NodeRecord:
    return NodeRecord(
        id=row.id,
        uri=row.uri,
        node_type=row.node_type,
        category=row.category,
        owner_id=row.owner_id,
        shared=row.owner_id is None,
        abstract=row.l0_abstract,
        overview=row.l1_overview,
        content=row.l2_content,
        tags=tuple(row.tags),
        trust=row.trust,
        inferred=is_inferred(Trust(row.trust)),
        arrival=row.arrival,
        author_id=row.author_id,
        occurred_at=row.occurred_at,
        archived_at=row.archived_at,
        merged_into=row.merged_into_id,
        merged_from=tuple(row.merged_from),
        **_fact(row),
        relevance=relevance_at(strength_of(row), now.timestamp(), policy),
        base_relevance=row.base_relevance,
        last_access=row.last_access,
        access_count=row.access_count,
        tiers_by=row.tiers_by,
        tiers_stale=row.tiers_of != row.content_hash,
        sources=tuple(sources),
        child_count=child_count,
        version=row.version,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def _fact(row: MemNode) -> dict[str, Any]:
    """The slot and the validity."""
    names = ("subject", "attribute", "value", "many", "valid_from", "valid_to")
    return {**{name: getattr(row, name) for name in names}, "superseded_by": row.superseded_by_id}
