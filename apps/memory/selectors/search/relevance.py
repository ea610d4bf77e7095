"""Relevance of what a search found, for the embedding models that it is calibrated for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from heapq import nlargest
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import numpy as np
from django.db.models import Q

from apps.engine.memory.search.relevance import (
    COMPARED,
    NEAREST_GENERIC,
    NearPassage,
    RelevanceThresholds,
    relevance_score,
)
from apps.llm.embedding.model_ids import MINILM, WORDLLAMA, current_name
from apps.memory.models import Embedding, Passage
from apps.memory.records.search import Hit, QueryVector, SearchResult, SpaceRecord
from apps.memory.selectors.search.search_config import SearchConfig

if TYPE_CHECKING:
    from apps.llm.embedding.base import Vector

# `make eval-memory` and `make acceptance` measure them. With any other model a search always has results.
_CALIBRATED = {
    MINILM: RelevanceThresholds(memories=0.1, messages=0.19, topics=0.25),
    WORDLLAMA: RelevanceThresholds(memories=0.0, messages=0.085, topics=0.15),
}

# One shared word is weak evidence of a topic.
_MOST_BY_WORDS = 3

GENERIC_VECTORS = Path(__file__).with_name("generic_vectors.npz")
"""Made from the generic questions by `python -m studies.generic_vectors`."""
_COLUMNS = ("id", "node_id", "message_id", "user_memory_id")


def relevant_hits(found: SearchResult, chances: Mapping[UUID, float] | None, config: SearchConfig) -> frozenset[UUID]:
    """The hits that are relevant: by their chances, and where those are missing all memories or none, all messages or
    none."""
    by_likeness = _relevant_by_likeness(found, config) if _is_needed(found, chances) else frozenset()
    if chances is None:
        return by_likeness
    of_memory, of_message = least_chance(None, config), config.policy.past_message_relevant_chance_percent / 100
    least = {hit.id: of_message if hit.kind == "message" else of_memory for hit in found.hits}
    by_chance = (one for one in least if chances.get(one, 0.0) >= least[one])
    lines = {hit.id for hit in found.hits if hit.kind == "user_memory" and hit.id not in chances}
    return frozenset((*by_chance, *(by_likeness & lines)))


def _is_needed(found: SearchResult, chances: Mapping[UUID, float] | None) -> bool:
    """Whether something was not judged: everything, or user memory, which only the reply without a model quotes."""
    return chances is None or any(hit.kind == "user_memory" and hit.id not in chances for hit in found.hits)


def _relevant_by_likeness(found: SearchResult, config: SearchConfig) -> frozenset[UUID]:
    memories = [hit for hit in found.hits if hit.kind != "message"]
    has_memories = is_anything_relevant(memories, found.vector, config.space, with_messages=False)
    has_messages = is_anything_relevant(found.hits, found.vector, config.space, with_messages=True)
    return frozenset(hit.id for hit in found.hits if (has_messages if hit.kind == "message" else has_memories))


def is_likely(hit: Hit, least: float) -> bool:
    """Whether a hit was judged to have at least this chance of being relevant."""
    return hit.chance is not None and hit.chance >= least


def least_chance(wanted: float | None, config: SearchConfig) -> float:
    """The chance from which on a memory is relevant: what a query wants, else the policy."""
    return config.policy.memory_relevant_chance_percent / 100 if wanted is None else wanted


def is_anything_relevant(
    hits: Iterable[Hit], vector: QueryVector | None, space: SpaceRecord | None, *, with_messages: bool
) -> bool:
    """Judge by the passages nearest to the query, and by shared words where there are no vectors to compare.

    With a model that is not calibrated everything is relevant.
    """
    found = list(hits)
    if space is None or vector is None or vector.model != space.model:
        return any(hit.shares_words for hit in found)
    thresholds = _thresholds(space)
    # What was written a moment ago has no vector yet, and no similarity.
    if thresholds is None or any(hit.shares_words and hit.similarity == 0 for hit in found):
        return True
    nearest = nlargest(COMPARED, found, key=lambda hit: hit.similarity)
    score = relevance_score(list(_passages(nearest, space).values()), _hubness(vector.values, space.model))
    return score >= (thresholds.messages if with_messages else thresholds.memories)


def about_topics(hits: Sequence[Hit], vector: QueryVector | None, space: SpaceRecord | None) -> list[Hit]:
    """The hits that are each relevant to the topics of a conversation, in order.

    If there are no vectors to compare, or with a model that is not calibrated, the first few that share words.
    """
    thresholds = _thresholds(space) if space else None
    if space is None or vector is None or vector.model != space.model or thresholds is None:
        return [hit for hit in hits if hit.shares_words][:_MOST_BY_WORDS]
    hubness, passages = _hubness(vector.values, space.model), _passages(hits, space)
    scores = {hit_id: relevance_score([passage], hubness) for hit_id, passage in passages.items()}
    return [hit for hit in hits if scores.get(hit.id, 0) >= thresholds.topics]


def _thresholds(space: SpaceRecord) -> RelevanceThresholds | None:
    return _CALIBRATED.get(current_name(space.model))


def _passages(hits: Iterable[Hit], space: SpaceRecord) -> dict[UUID, NearPassage]:
    """The passages of the hits that have a vector, by the hits' ids."""
    similarities = {hit.id: hit.similarity for hit in hits}
    return {
        hit_id: NearPassage(similarities[hit_id], _hubness(values, space.model))
        for hit_id, values in _vectors(similarities, space).items()
    }


def _vectors(ids: Collection[UUID], space: SpaceRecord) -> dict[UUID, Vector]:
    """The vectors of memories, messages and user memory by their ids."""
    passages = Passage.objects.filter(Q(node_id__in=ids) | Q(message_id__in=ids) | Q(user_memory_id__in=ids))
    owners = {row[0]: row[1] or row[2] or row[3] for row in passages.values_list(*_COLUMNS)}
    rows = Embedding.objects.filter(space_id=space.id, passage_id__in=owners).values_list("passage_id", "vector")
    return {owners[passage]: np.asarray(vector, dtype=np.float32) for passage, vector in rows}


def _hubness(values: Vector, model: str) -> float:
    """How near a text is to questions that could be asked of anything."""
    similarities = np.sort(_generic_vectors(current_name(model)) @ values)
    return float(similarities[-NEAREST_GENERIC:].mean())


@cache
def _generic_vectors(model: str) -> Vector:
    """The vectors of the generic questions, one a row; stored, so that no transaction waits for the embedder."""
    with np.load(GENERIC_VECTORS) as stored:
        return np.asarray(stored[model], dtype=np.float32)
