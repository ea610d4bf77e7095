"""Storing of vectors: only of passages that are unchanged, and that no other transaction is writing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from django.db import connection

from apps.common.ids import uuid7s
from apps.common.tenancy import current_workspace_id
from apps.memory.models import EmbeddingSpace, SpaceState
from apps.memory.selectors.search.embedding_backlog import Waiting
from apps.memory.selectors.search.embedding_spaces import vector_text
from apps.memory.services.index.embedding_batches import batches_fill_up_to

if TYPE_CHECKING:
    from apps.llm.embedding.base import Vector

LockedPassages = Mapping[UUID, tuple[UUID, datetime | None]]
"""The bank of each passage, and the `wanted_at` that its embedding answers."""

# A writer of a memory locks its passage and then requests this job, whose row is locked here: never wait for writers.
_LOCK = """
SELECT id, bank, wanted_at FROM mem_passages WHERE workspace_id = %(workspace)s AND id = ANY(%(passages)s::uuid[])
ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
"""
_DONE = """
UPDATE mem_passages SET wanted_at = NULL WHERE workspace_id = %(workspace)s AND id = ANY(%(passages)s::uuid[])
"""
_STORE = """
INSERT INTO mem_embeddings (id, workspace_id, bank, space_id, passage_id, vector)
SELECT vectors.id, %(workspace)s, vectors.bank, %(space)s, vectors.passage_id, vectors.vector::halfvec
FROM unnest(%(ids)s::uuid[], %(passages)s::uuid[], %(banks)s::uuid[], %(vectors)s::text[])
    AS vectors (id, passage_id, bank, vector)
ON CONFLICT (workspace_id, passage_id, space_id) DO UPDATE SET vector = EXCLUDED.vector, bank = EXCLUDED.bank
"""
_FORGET_OLD = """
DELETE FROM mem_embeddings WHERE workspace_id = %(workspace)s AND passage_id = ANY(%(passages)s::uuid[])
    AND space_id = %(space)s
"""
_FORGET = """
DELETE FROM mem_embeddings WHERE workspace_id = %(workspace)s AND passage_id = ANY(%(passages)s::uuid[])
    AND space_id <> %(space)s
"""


def passages_lock(waiting: Sequence[Waiting]) -> LockedPassages:
    """Lock the passages that still exist and that no other transaction is writing, until the unit of work ends."""
    values = {"workspace": current_workspace_id(), "passages": [one.passage_id for one in waiting]}
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, values)
        return {row_id: (bank, wanted_at) for row_id, bank, wanted_at in cursor.fetchall()}


def passages_unchanged(waiting: Sequence[Waiting], locked: LockedPassages) -> list[Waiting]:
    """The locked passages whose text is unchanged, in whatever bank they are now."""
    return [
        replace(one, bank=locked[one.passage_id][0])
        for one in waiting
        if one.passage_id in locked and locked[one.passage_id][1] == one.wanted_at
    ]


def vectors_store(space_id: UUID, vectors: Mapping[UUID, Vector], chosen: Sequence[Waiting]) -> None:
    """Store the embeddings; a passage without one loses its former one."""
    embedded = [one for one in chosen if one.passage_id in vectors and vectors[one.passage_id].any()]
    without = {one.passage_id for one in chosen} - {one.passage_id for one in embedded}
    values = {
        "workspace": current_workspace_id(),
        "space": space_id,
        "ids": uuid7s(len(embedded)),
        "passages": [one.passage_id for one in embedded],
        "banks": [one.bank for one in embedded],
        "vectors": [vector_text(vectors[one.passage_id]) for one in embedded],
    }
    with connection.cursor() as cursor:
        cursor.execute(_STORE, values)
        if without:
            cursor.execute(_FORGET_OLD, {**values, "passages": list(without)})


def passages_done(chosen: Sequence[Waiting]) -> None:
    """Clear the pending flag of these passages."""
    values = {"workspace": current_workspace_id(), "passages": [one.passage_id for one in chosen]}
    with connection.cursor() as cursor:
        cursor.execute(_DONE, values)


def passages_fill_again(space_id: UUID, passage_ids: Sequence[UUID]) -> None:
    """Delete a changed passage's embeddings in every other space, where it is then missing again."""
    if not passage_ids:
        return
    before = UUID(int=min(passage_ids).int - 1)
    EmbeddingSpace.objects.filter(state=SpaceState.BUILDING, filled_through__gt=before).update(filled_through=before)
    batches_fill_up_to(before)
    with connection.cursor() as cursor:
        cursor.execute(_FORGET, {"workspace": current_workspace_id(), "passages": list(passage_ids), "space": space_id})
