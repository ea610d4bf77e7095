"""Decision of a search that nothing is relevant, as it should be for a question that the data does not answer."""

from __future__ import annotations

from apps.accounts.actors import Actor
from apps.memory.records.search import SearchQuery
from apps.memory.services.search.tree_search import memories_search


def finds_relevant(actor: Actor, query: SearchQuery) -> bool:
    """Whether a search has results for the query."""
    return not memories_search(actor, query=query).abstained
