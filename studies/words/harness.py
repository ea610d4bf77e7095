"""Harness of the study of search words: memories in the running product, searched as the API does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.categories import Category, named_address
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.find import find
from apps.memory.selectors.search.query_vectors import with_vector
from apps.memory.services.tree.create import node_create
from apps.memory.services.tree.node_drafts import NodeDraft
from studies.retrieval_harness import run_due_jobs
from studies.workspaces import alice

_DEPTH = 5
WORDS, VECTORS = "words_alone", "with_vectors"
_LETTERS = str.maketrans("0123456789", "ghijklmnop")


@dataclass(slots=True)
class WordRanks:
    """The place of the wanted memory for each query, from 1 on; 0 if it is not found, or found by nothing it has."""

    places: dict[tuple[str, str], int] = field(default_factory=dict)

    def numbers(self) -> dict[str, int]:
        return {
            f"{name}_within_{depth}": sum(0 < place <= depth for (way, _), place in self.places.items() if way == name)
            for name in (WORDS, VECTORS)
            for depth in (1, _DEPTH)
        } | {"queries": len({query for _, query in self.places})}

    def missed(self) -> Iterator[str]:
        """Lines that name the queries whose memory is not the first."""
        for (way, query), place in self.places.items():
            if place != 1:
                yield f"{way}, place {place}: {query}"


def ranks_of(data: Mapping[str, Any]) -> WordRanks:
    """Store the memories of a file, and search for each query by words alone and with vectors."""
    actor = alice("Words")
    ids = _stored(actor, data["memories"])
    run_due_jobs()
    ranks = WordRanks()
    for one in data["queries"]:
        ready = with_vector(actor, SearchQuery(one["q"], top_k=_DEPTH))
        for way, query in ((WORDS, replace(ready, vectors=None)), (VECTORS, ready)):
            ranks.places[way, one["q"]] = _place(actor, query, None if one["wanted"] is None else ids[one["wanted"]])
    return ranks


def _stored(actor: Actor, texts: Sequence[str]) -> list[UUID]:
    with workspace(actor.workspace_id):
        # The name is searched too, so it says nothing and has no number.
        names = (f"m{number}".translate(_LETTERS) for number in range(len(texts)))
        drafts = [
            NodeDraft(named_address(Category.PREFERENCES, name), text) for name, text in zip(names, texts, strict=True)
        ]
        return [node_create(actor, draft=draft).id for draft in drafts]


def _place(actor: Actor, query: SearchQuery, wanted: UUID | None) -> int:
    with workspace(actor.workspace_id):
        hits = find(actor, query).hits
    matching = [hit.id for hit in hits if hit.shares_words or hit.similarity > 0]
    if wanted is None:
        return int(not any(hit.shares_words for hit in hits))
    return matching.index(wanted) + 1 if wanted in matching else 0
