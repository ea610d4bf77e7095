"""Imports from other stores as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

MOST_PROBLEMS = 100
"""Problems listed of one item; more of them are only counted in its text."""


@dataclass(frozen=True, slots=True)
class ItemProblem:
    """A damaged line or message of an item, which harms no other."""

    line: int
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class ImportedResult:
    """An item's result. `address` is that of its memory; `messages` were stored by this import."""

    key: str
    kind: str
    status: str
    reason: str = ""
    detail: str = ""
    address: str = ""
    node_id: UUID | None = None
    conversation_id: UUID | None = None
    session_id: UUID | None = None
    messages: int = 0
    problems: tuple[ItemProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class KindCounts:
    """Items of one kind in an import, by status."""

    kind: str
    created: int = 0
    existing: int = 0
    skipped: int = 0
    refused: int = 0


@dataclass(frozen=True, slots=True)
class ImportReport:
    """An import so far. `items` are those that were skipped or refused, and those with problems."""

    id: UUID
    source: str
    started_at: datetime
    updated_at: datetime
    counts: tuple[KindCounts, ...]
    messages: int
    items: tuple[ImportedResult, ...]
