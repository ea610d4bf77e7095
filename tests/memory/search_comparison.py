"""Comparison of search results with those of an exhaustive search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

import pytest
from django.utils import timezone
from pgvector import HalfVector

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.ranking_features import Question
from apps.memory.records.search import SearchQuery, SearchResult
from apps.memory.selectors.search.embedding_spaces import vector_text
from apps.memory.selectors.search.scope import banks_for, question_for
from tests.memory.exhaustive_search import Text, exhaustive_search, matches

if TYPE_CHECKING:
    from apps.llm.embedding.base import Vector


@dataclass(frozen=True, slots=True)
class Asked:
    """A query with its banks and its analyzed question."""

    query: SearchQuery
    banks: Sequence[UUID]
    question: Question


def asked_by(actor: Actor, query: SearchQuery) -> Asked:
    with workspace(actor.workspace_id):
        banks = banks_for(actor, query)
        return Asked(query, banks.every, question_for(actor, query, banks))


def check_found(found: SearchResult, asked: Asked, every: Mapping[UUID, Sequence[Text]], vector: Vector | None) -> None:
    """Check the number of results, and that they are the best of an exhaustive search.

    `vector` is the question's vector in the serving space; without one only words are compared.
    """
    texts = [text for bank in asked.banks for text in every.get(bank, ())]
    says = asked.banks and vector is not None and vector.any()
    compared = HalfVector.from_text(vector_text(vector)).to_list() if vector is not None and says else None
    plain = exhaustive_search(texts, asked.query, asked.question, compared, timezone.now().timestamp())
    ours = [(hit.id, hit.score) for hit in found.hits]
    assert found.by_meaning == bool(compared)
    if not asked.query.threshold:
        assert len(ours) == min(asked.query.top_k, sum(matches(text, asked.query) for text in texts))
    assert len(ours) == len(plain)
    assert [score for _, score in ours] == pytest.approx([score for _, score in plain], abs=1e-4)
    assert _apart(ours) == _apart(plain)


def _apart(found: Sequence[tuple[UUID | None, float]]) -> list[UUID | None]:
    """Return the ids whose score differs from all others: equal scores may be in any order."""
    scores = [score for _, score in found]
    return [
        thing
        for thing, score in found
        if sum(abs(score - other) < 1e-3 for other in scores) == 1 and score > scores[-1]
    ]
