"""Nodes of the memory tree and what was done to them, as plain data."""

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
    """Where a node comes from: `reference` is an id, or what an import calls itself."""

    kind: str
    reference: str


@dataclass(frozen=True, slots=True)
class NodeRecord:
    """`relevance` is that of the moment of reading; `shared` is true where everybody of the workspace sees the node."""

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
class DecayPoint:
    """The relevance `day` days from now; days in the past are negative."""

    day: float
    relevance: float


@dataclass(frozen=True, slots=True)
class DecayRecord:
    """What the relevance follows from, and its curve around now, which is empty for an exempt node."""

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
    child_count: int
    depth: int
    version: int
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class RevisionRecord:
    """One write of one node; `before` and `after` hold only `fields`, `hunks` the lines of the content that differ.

    `undone` says whether the change was taken back and not made again since; `cut` names what is told in part alone.
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
    """How many nodes would be gone for good, with the addresses of some."""

    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CreatePreview:
    """The address that a draft would get. `taken`: another memory has the address that its name makes, so a chosen
    address is refused, and one that follows from a name gets a number."""

    uri: str
    category: str
    taken: bool


@dataclass(frozen=True, slots=True)
class MergePreview:
    """What the target of a merge would say, and how far it would be trusted."""

    content: str
    trust: str


@dataclass(frozen=True, slots=True)
class ItemResult:
    """What became of one item of many: `created`, `updated`, `unchanged`, or `refused` with a code and the reason."""

    position: int
    state: str
    node_id: UUID | None
    uri: str
    code: str = ""
    detail: str = ""


def strength_of(row: MemNode) -> Strength:
    """All that the node's relevance follows from."""
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
