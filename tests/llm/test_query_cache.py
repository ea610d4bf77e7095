"""The cache of query vectors: the same question is embedded once, by any thread, and memory is bounded."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pytest

from apps.llm.embedding import query_cache
from apps.llm.embedding.base import SymmetricEmbedder
from apps.llm.embedding.query_cache import CachedQueries, QueryCache

if TYPE_CHECKING:
    from apps.llm.embedding.base import Vector


class Counting(SymmetricEmbedder):
    """An embedder that records the texts it embeds."""

    name, dimension, is_local = "counting-1", 1, True

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.embedded += texts
        return [np.array([len(text)], dtype=np.float32) for text in texts]


def test_a_question_is_embedded_once_and_texts_as_often_as_they_come() -> None:
    counting = Counting()
    cached = CachedQueries(counting, QueryCache())
    assert [float(vector[0]) for vector in cached.embed_queries(["tea", "rain", "tea"])] == [3, 4, 3]
    assert [float(vector[0]) for vector in cached.embed_queries(["boats", "tea"])] == [5, 3]
    assert counting.embedded == ["tea", "rain", "boats"]
    cached.embed(["tea"])
    assert counting.embedded[-1] == "tea"


def test_a_question_is_embedded_for_every_model_and_for_everybody_who_pays_for_it() -> None:
    counting, other, cache = Counting(), Counting(), QueryCache()
    other.name = "counting-2"
    for embedder, payer in ((counting, "a"), (counting, "b"), (other, "a"), (counting, "b")):
        CachedQueries(embedder, cache, payer=payer).embed_queries(["tea"])
    assert (counting.embedded, other.embedded) == (["tea", "tea"], ["tea"])


def test_the_cache_drops_what_was_not_used_for_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query_cache, "MOST_CACHED", 2)
    counting, cache = Counting(), QueryCache()
    cached = CachedQueries(counting, cache)
    for text in ("tea", "rain", "tea", "boats", "tea", "rain"):
        cached.embed_queries([text])
    assert counting.embedded == ["tea", "rain", "boats", "rain"]
    cached.embed_queries(["a", "bb", "ccc"])
    assert len(cache) == 2


def test_a_cached_vector_cannot_be_changed() -> None:
    (vector,) = CachedQueries(Counting(), QueryCache()).embed_queries(["tea"])
    with pytest.raises(ValueError, match="read-only"):
        vector += 1


def test_threads_may_share_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query_cache, "MOST_CACHED", 5)
    cached = CachedQueries(Counting(), QueryCache())
    with ThreadPoolExecutor(8) as threads:
        vectors = list(threads.map(lambda number: cached.embed_queries(["x" * (number % 9)])[0], range(900)))
    assert [int(vector[0]) for vector in vectors] == [number % 9 for number in range(900)]
