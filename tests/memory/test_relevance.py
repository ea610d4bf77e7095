"""Relevance of what a search found: the stored vectors of the generic questions."""

from __future__ import annotations

import numpy as np
import pytest

from apps.engine.memory.search.generic_questions import GENERIC_QUESTIONS
from apps.llm.embedding.base import Embedder
from studies.generic_vectors import EMBEDDERS, PATH, generic_vectors


@pytest.mark.parametrize("embedder", EMBEDDERS, ids=lambda one: one.name)
def test_the_stored_vectors_are_those_of_the_generic_questions(embedder: Embedder) -> None:
    with np.load(PATH) as stored:
        vectors = stored[embedder.name].astype(np.float32)
    made = generic_vectors(embedder).astype(np.float32)
    assert vectors.shape == (len(GENERIC_QUESTIONS), made.shape[1])
    # In 8 bits roundings differ between batches, and between processors: without VNNI the least is .984.
    assert float((vectors * made).sum(axis=1).min()) > 0.98
