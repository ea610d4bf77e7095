"""Search on behalf of somebody: memories that are found count as used."""

from __future__ import annotations

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.memory.records.search import FindWish, Found
from apps.memory.selectors.search.find import find, with_vector
from apps.memory.selectors.search.search_config import SearchConfig, search_config
from apps.memory.services.accesses import accesses_record


def memories_find(actor: Actor, *, wish: FindWish) -> Found:
    """Search with the query's vector, and record the use of what is found. Call this outside of a unit of work: a
    provider embeds the query between two units."""
    with workspace(actor.workspace_id, plans="force_generic_plan"):
        config = search_config()
        if not config.needs_provider:
            return _find(actor, wish, config)
    ready = with_vector(actor, wish)
    with workspace(actor.workspace_id, plans="force_generic_plan"):
        return _find(actor, ready, search_config())


def _find(actor: Actor, wish: FindWish, config: SearchConfig) -> Found:
    found = find(actor, wish, config)
    accesses_record([hit.id for hit in found.hits if hit.kind == "memory"])
    return found
