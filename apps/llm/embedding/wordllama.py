"""The default: a vector is the mean of those of a text's pieces. Small, quick, and without a network.

Weights and vocabulary are read out of the package as files; the package's own program would look for them elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from apps.llm.embedding.names import WORDLLAMA
from apps.llm.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from apps.llm.embedding.base import Vector

_PACKAGE = "wordllama"
_WEIGHTS, _WORDS = "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"
_LONGEST = 50_000


class WordLlamaEmbedder:
    name = WORDLLAMA
    dimension = 256
    is_local = True

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        weights, tokenizer = _loaded()
        encoded = tokenizer.encode_batch_fast([text[:_LONGEST] for text in texts], add_special_tokens=False)
        return [_mean(weights, one.ids) for one in encoded]


def _mean(weights: NDArray[np.float16], ids: list[int]) -> Vector:
    import numpy as np  # noqa: PLC0415  # only a process that makes vectors pays for it

    if not ids:
        return np.zeros(weights.shape[1], dtype=np.float32)
    mean: Vector = weights[ids].astype(np.float32).mean(axis=0)
    length = float(np.linalg.norm(mean))
    return mean / np.float32(length) if length else mean


@cache
def _loaded() -> tuple[NDArray[np.float16], Tokenizer]:
    """Once in a process, when the first text comes."""
    from safetensors import safe_open  # noqa: PLC0415  # only a process that makes vectors pays for it
    from tokenizers import Tokenizer  # noqa: PLC0415

    spec = find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelError("not_configured", f"The package {_PACKAGE} with the weights of the vectors is not installed.")
    folder = Path(spec.origin).parent
    with safe_open(folder / _WEIGHTS, framework="numpy") as file:
        weights = file.get_tensor("embedding.weight")
    tokenizer = Tokenizer.from_file(str(folder / _WORDS))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return weights, tokenizer
