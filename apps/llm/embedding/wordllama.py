"""The optional local model WordLlama (EMBEDDINGS=wordllama): the mean of static token vectors. Small and very fast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apps.llm.embedding.base import SymmetricEmbedder
from apps.llm.embedding.model_ids import WORDLLAMA
from apps.llm.embedding.static_vectors import model_folder, static_vectors
from apps.llm.own_models.calls import run_model

if TYPE_CHECKING:
    from apps.llm.embedding.base import Vector


class WordLlamaEmbedder(SymmetricEmbedder):
    name = WORDLLAMA
    dimension = 256
    is_local = True

    def __init__(self) -> None:
        model_folder()

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return run_model(static_vectors, list(texts))
