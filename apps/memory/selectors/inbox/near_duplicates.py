"""Memories in use that mean nearly the same as proposed ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from apps.common.sql import sql_file
from apps.common.tenancy import current_workspace_id
from apps.llm.embedding.registry import embedder_named, is_local
from apps.llm.errors import ModelError
from apps.memory.models import MemNode
from apps.memory.selectors.search.embedding_spaces import serving_space, vector_text

NEAR = 0.75
"""The least similarity of a near-duplicate."""
MOST_NEAR = 3
LONGEST_COMPARED = 1_000

_NEAREST = sql_file(Path(__file__).with_name("nearest.sql"), nearest=MOST_NEAR, least=NEAR)


@dataclass(frozen=True, slots=True)
class _Row:
    node_id: UUID
    near_id: UUID
    similarity: float


def near_duplicates(rows: Sequence[MemNode]) -> dict[UUID, dict[UUID, float]]:
    """Return the ids and similarities of memories in use near each of these, best first.

    Only a local model embeds the texts: a request of the inbox makes no calls to a provider.
    """
    space = serving_space()
    if space is None or not rows or not is_local(space.model):
        return {}
    try:
        embedder = embedder_named(space.model, workspace_id=current_workspace_id())
    except ModelError:
        return {}
    vectors = embedder.embed([(row.l0_abstract or row.l2_content)[:LONGEST_COMPARED] for row in rows])
    found: dict[UUID, dict[UUID, float]] = {}
    for one in _NEAREST.rows(
        _Row,
        {
            "workspace": current_workspace_id(),
            "space": space.id,
            "nodes": [row.id for row in rows],
            "banks": [row.owner_id or current_workspace_id() for row in rows],
            "vectors": [vector_text(vector) for vector in vectors],
        },
    ):
        found.setdefault(one.node_id, {})[one.near_id] = one.similarity
    return found
