"""Memories that new statements may repeat or replace, searched for before anything is locked."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.extraction.candidate import Extraction
from apps.extraction.selectors.known_memories import similar_memories, similarity_query
from apps.memory.selectors.search.query_vectors import with_vectors


def similar_to(actor: Actor, found: Extraction) -> list[UUID]:
    """Return the ids of memories near the candidates in words and meaning. Call it outside a unit of work."""
    statements = dict.fromkeys(one.statement for one in found.candidates)
    queries = with_vectors(actor, [similarity_query(one) for one in statements])
    with workspace(actor.workspace_id, plans="force_generic_plan"):
        return similar_memories(actor, queries)
