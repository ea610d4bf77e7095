"""The default embedding model: the mean of static token vectors. Small, fast and local.

Reads weights and vocabulary from the package's files; the package's own loader would look for them elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from apps.llm.embedding.model_ids import WORDLLAMA
from apps.llm.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from apps.llm.embedding.base import Vector

_PACKAGE = "wordllama"
_WEIGHTS, _WORDS = "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"
_TENSOR = "embedding.weight"
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
    import numpy as np  # noqa: PLC0415  # only imported in processes that embed

    if not ids:
        return np.zeros(weights.shape[1], dtype=np.float32)
    mean: Vector = weights[ids].astype(np.float32).mean(axis=0)
    length = float(np.linalg.norm(mean))
    return mean / np.float32(length) if length else mean


@cache
def _loaded() -> tuple[NDArray[np.float16], Tokenizer]:
    """Load weights and tokenizer, once per process, on first use."""
    from tokenizers import Tokenizer  # noqa: PLC0415  # only imported in processes that embed

    spec = find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelError("not_configured", f"The package {_PACKAGE} with the embedding weights is not installed.")
    folder = Path(spec.origin).parent
    tokenizer = Tokenizer.from_file(str(folder / _WORDS))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return _memory_map(folder / _WEIGHTS), tokenizer


def _memory_map(path: Path) -> NDArray[np.float16]:
    """Memory-map the weights, so that all processes share one copy.

    The file begins with the length of a JSON header, which has the tensor's shape and its offset after the header.
    """
    import numpy as np  # noqa: PLC0415  # as above

    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        tensor = json.loads(file.read(length))[_TENSOR]
    begin = 8 + length + tensor["data_offsets"][0]
    return np.memmap(path, dtype=np.float16, mode="r", offset=begin, shape=tuple(tensor["shape"]))
