"""Memories in use that mean nearly the same as proposed ones, by the vectors that are stored of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from apps.common.sql import sql_file
from apps.common.tenancy import current_workspace_id
from apps.memory.models import MemNode
from apps.memory.selectors.search.embedding_spaces import serving_space

NEAR = 0.75
"""The least similarity of a near-duplicate."""
MOST_NEAR = 3
MOST_DIFFERING = 0.3
"""The share of the signs that may differ in near-duplicates: of texts, pairs as near as that have at most 0.29."""

_NEAREST = sql_file(
    Path(__file__).with_name("nearest.sql"), nearest=MOST_NEAR, least=NEAR, most_differing=MOST_DIFFERING
)


@dataclass(frozen=True, slots=True)
class _Row:
    node_id: UUID
    near_id: UUID
    similarity: float


def near_duplicates(rows: Sequence[MemNode]) -> dict[UUID, dict[UUID, float]]:
    """Return the ids and similarities of memories in use near each of these, best first.

    A memory that was stored a moment ago has no vector yet, and none near it.
    """
    space = serving_space()
    if space is None or not rows:
        return {}
    banks = [row.owner_id or row.workspace_id for row in rows]
    values = {"nodes": [row.id for row in rows], "node_banks": banks, "banks": list(set(banks))}
    found: dict[UUID, dict[UUID, float]] = {}
    for one in _NEAREST.rows(_Row, {"workspace": current_workspace_id(), "space": space.id, **values}):
        found.setdefault(one.node_id, {})[one.near_id] = one.similarity
    return found
