"""Vectors of the generic questions that relevance is measured against.

For the default model they are stored beside this module, because to embed them takes seconds, for which a pack would
hold its transaction open.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import numpy as np

from apps.engine.memory.search.generic_questions import GENERIC_QUESTIONS
from apps.llm.embedding.model_ids import MINILM
from apps.llm.embedding.registry import embedder_named

if TYPE_CHECKING:
    from apps.llm.embedding.base import Vector

_STORED = {MINILM: Path(__file__).with_name("generic_vectors.minilm.npy")}
_NO_WORKSPACE = UUID(int=0)


@lru_cache(maxsize=4)
def generic_vectors(model: str) -> Vector:
    """The vectors of the generic questions by a local model, one a row."""
    if path := _STORED.get(model):
        return np.asarray(np.load(path), dtype=np.float32)
    return embedded_questions(model)


def embedded_questions(model: str) -> Vector:
    embedder = embedder_named(model, workspace_id=_NO_WORKSPACE)
    return np.stack(list(embedder.embed(GENERIC_QUESTIONS)))


def generic_vectors_store() -> None:
    """Write the stored vectors again, after a change of the questions."""
    for model, path in _STORED.items():
        np.save(path, embedded_questions(model).astype(np.float16))
