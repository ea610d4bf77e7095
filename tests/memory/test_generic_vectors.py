"""The stored vectors of the generic questions."""

from __future__ import annotations

import numpy as np

from apps.llm.embedding.model_ids import MINILM
from apps.memory.selectors.search.generic_vectors import embedded_questions, generic_vectors


def test_the_stored_vectors_are_those_of_the_model() -> None:
    """If they are not, run `generic_vectors_store`."""
    stored, made = generic_vectors(MINILM), embedded_questions(MINILM)
    assert stored.shape == made.shape
    assert np.abs(stored - made).max() < 0.002
