"""Embeddings of queries, made before the unit of work that searches with them: no model is called inside one.

What is embedded depends on who speaks in the searched conversations, so it is read in a short unit first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.accounts.actors import Actor
from apps.common.tenancy import current_workspace_id, workspace
from apps.llm.embedding.base import Embedder
from apps.llm.embedding.registry import embedder_named
from apps.llm.errors import ModelError
from apps.memory.records.search import QueryVectors, SearchQuery, SpaceRecord
from apps.memory.selectors.search.find import find_query_check
from apps.memory.selectors.search.scope import banks_for, question_for
from apps.memory.selectors.search.search_config import SearchConfig, search_config


@dataclass(frozen=True, slots=True)
class PreparedQueries:
    """Queries with the texts to embed for each, the first of which is its own, and the model of the serving space."""

    config: SearchConfig
    queries: Sequence[SearchQuery]
    texts: Sequence[tuple[str, ...]]
    embedder: Embedder | None

    def embedded(self) -> list[SearchQuery]:
        """Return the queries with their embeddings, made in one batch. Call it outside a unit of work.

        Without a model, or if it fails, they are unchanged and only words are compared.
        """
        if self.embedder is None or not self.queries:
            return list(self.queries)
        every = list(dict.fromkeys(text for texts in self.texts for text in texts))
        try:
            made = dict(zip(every, self.embedder.embed_queries(every), strict=True))
        except ModelError:
            return list(self.queries)
        model = self.embedder.name
        return [
            replace(query, vectors=QueryVectors(model, texts[0], made))
            for query, texts in zip(self.queries, self.texts, strict=True)
        ]


def queries_prepare(actor: Actor, queries: Sequence[SearchQuery], config: SearchConfig) -> PreparedQueries:
    """Read what is to be embedded for these queries. Call it inside a unit of work."""
    embedder = _embedder(config.space)
    texts = [question_for(actor, one, banks_for(actor, one)).texts for one in queries] if embedder else []
    return PreparedQueries(config, queries, texts, embedder)


def queries_read(actor: Actor, queries: Sequence[SearchQuery]) -> PreparedQueries:
    """Check these queries, and prepare them in a unit of their own."""
    for query in queries:
        find_query_check(query)
    with workspace(actor.workspace_id):
        return queries_prepare(actor, queries, search_config())


def with_vector(actor: Actor, query: SearchQuery) -> SearchQuery:
    """Return the query with its embedding. Call it outside a unit of work."""
    return with_vectors(actor, [query])[0]


def with_vectors(actor: Actor, queries: Sequence[SearchQuery]) -> list[SearchQuery]:
    """Return the queries with their embeddings, made in one batch. Call it outside a unit of work."""
    return queries_read(actor, queries).embedded()


def _embedder(space: SpaceRecord | None) -> Embedder | None:
    """The embedder of the space, if available."""
    if space is None:
        return None
    try:
        return embedder_named(space.model, workspace_id=current_workspace_id())
    except ModelError:
        return None
