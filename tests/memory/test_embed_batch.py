"""Embedding of a batch of passages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from uuid import UUID

import numpy as np

from apps.memory.selectors.search.embedding_backlog import Waiting
from apps.memory.services.index.embed_batch import vectors_of

if TYPE_CHECKING:
    from apps.llm.embedding.base import Vector

_VECTORS = {"Where do you live?": (1.0, 0.0), "In Porto.": (0.0, 1.0)}


class Latin:
    """An embedder that reads two texts, and no others."""

    name, dimension, is_local = "latin-2", 2, True

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [np.array(_VECTORS.get(text, (0.0, 0.0)), dtype=np.float32) for text in texts]

    embed_queries = embed


def test_an_answer_has_some_of_the_meaning_of_the_question_but_not_if_it_cannot_be_read() -> None:
    ids = [UUID(int=number) for number in range(2)]
    texts = ("In Porto.", "ที่เชียงใหม่")
    waiting = [Waiting(one, one, None, text, "Where do you live?") for one, text in zip(ids, texts, strict=True)]
    vectors = vectors_of(Latin(), waiting)
    assert vectors[ids[0]].all()
    assert not vectors[ids[1]].any()
