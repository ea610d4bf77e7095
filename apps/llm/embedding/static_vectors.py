"""Static token vectors of the package WordLlama, in this process and without Django: a peer's program embeds with it.

Reads weights and vocabulary from the package's files; the package's own loader would look for them elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from apps.llm.embedding.weights import memory_mapped, package_folder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from apps.llm.embedding.base import Vector

_WEIGHTS, _WORDS = "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"
_TENSOR = "embedding.weight"
_LONGEST = 50_000


def static_vectors(texts: Sequence[str]) -> list[Vector]:
    """The mean of the vectors of each text's tokens, of length 1; zeros for a text without tokens."""
    weights, tokenizer = _loaded()
    encoded = tokenizer.encode_batch_fast([text[:_LONGEST] for text in texts], add_special_tokens=False)
    return [_mean(weights, one.ids) for one in encoded]


def _mean(weights: NDArray[np.float16], ids: list[int]) -> Vector:
    import numpy as np  # noqa: PLC0415  # only imported in processes that embed

    if not ids:
        return np.zeros(weights.shape[1], dtype=np.float32)
    mean: Vector = weights[ids].astype(np.float32).mean(axis=0)
    length = float(np.linalg.norm(mean))
    return mean / np.float32(length) if length else mean


def model_folder() -> Path:
    """Where the package's files are; raises `ModelError` if it is not installed."""
    return package_folder("wordllama", "wordllama")


@cache
def _loaded() -> tuple[NDArray[np.float16], Tokenizer]:
    """Load weights and tokenizer, once per process, on first use."""
    from tokenizers import Tokenizer  # noqa: PLC0415  # only imported in processes that embed

    folder = model_folder()
    tokenizer = Tokenizer.from_file(str(folder / _WORDS))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return memory_mapped(folder / _WEIGHTS)[_TENSOR], tokenizer
