"""BERT and MPNet as their papers define them, in numpy, and encoders that are small enough for a test."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import erf
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from apps.llm.embedding.encoder_files import TOKENIZER, WEIGHTS
from apps.llm.embedding.encoder_specs import Architecture

Weights = Mapping[str, Any]
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "tea", "rain", "boat", "the", "a", "harbor", "##s"]
_HIDDEN, _WIDE, _POSITIONS = 32, 64, 24


def hidden_states(weights: Weights, architecture: Architecture, ids: Sequence[int]) -> Any:
    """The last hidden state of each token of one text."""
    count = len(ids)
    first = architecture.first_position
    state = weights["embeddings.word_embeddings.weight"][list(ids)]
    state = state + weights["embeddings.position_embeddings.weight"][first : first + count]
    if not architecture.relative_positions:
        state = state + weights["embeddings.token_type_embeddings.weight"][0]
    state = _norm(weights, "embeddings.LayerNorm", state, architecture)
    bias = _distance_bias(weights, count) if architecture.relative_positions else np.float32(0)
    for number in range(architecture.layers):
        state = _layer(weights, f"encoder.layer.{number}.", state, bias, architecture)
    return state


def _layer(weights: Weights, prefix: str, state: Any, bias: Any, architecture: Architecture) -> Any:
    count, hidden = state.shape

    def heads(name: str) -> Any:
        return _dense(weights, prefix + name, state).reshape(count, architecture.heads, -1).transpose(1, 0, 2)

    query, key, value = map(heads, architecture.attention)
    scores = query @ key.transpose(0, 2, 1) / np.sqrt(hidden // architecture.heads) + bias
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    attended = (scores / scores.sum(axis=-1, keepdims=True) @ value).transpose(1, 0, 2).reshape(count, hidden)
    added = state + _dense(weights, prefix + architecture.attended, attended)
    state = _norm(weights, prefix + architecture.attention_norm, added, architecture)
    wide = _dense(weights, f"{prefix}intermediate.dense", state)
    wide = wide * (1 + np.vectorize(erf)(wide / np.sqrt(2))) / 2
    return _norm(
        weights, f"{prefix}output.LayerNorm", state + _dense(weights, f"{prefix}output.dense", wide), architecture
    )


def _distance_bias(weights: Weights, count: int) -> Any:
    """T5's buckets: half for each direction, of which one half is exact and the other logarithmic up to 128."""
    places = np.arange(count)
    distance = places[None, :] - places[:, None]
    far = 8 + (np.log(np.maximum(abs(distance), 1) / 8) / np.log(128 / 8) * 8).astype(int)
    bucket = np.where(abs(distance) < 8, abs(distance), np.minimum(far, 15)) + 16 * (distance > 0)
    return weights["encoder.relative_attention_bias.weight"][bucket].transpose(2, 0, 1)


def _dense(weights: Weights, name: str, state: Any) -> Any:
    return state @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def _norm(weights: Weights, name: str, state: Any, architecture: Architecture) -> Any:
    centered = state - state.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centered * centered).mean(axis=-1, keepdims=True) + architecture.epsilon)
    return centered / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def random_weights(architecture: Architecture) -> dict[str, Any]:
    """Weights of a small encoder that 8 bits represent exactly."""
    random = np.random.default_rng(7)

    def values(*size: int) -> Any:
        # The largest of each row is 127, so the scale of quantization is the same.
        whole = random.integers(-127, 128, size)
        whole[..., 0] = 127
        return (whole / 500).astype(np.float32)

    attention = [*architecture.attention, architecture.attended]
    sizes = {name: (_HIDDEN, _HIDDEN) for name in attention}
    sizes |= {"intermediate.dense": (_WIDE, _HIDDEN), "output.dense": (_HIDDEN, _WIDE)}
    weights = {
        "embeddings.word_embeddings.weight": values(len(WORDS), _HIDDEN),
        "embeddings.position_embeddings.weight": values(_POSITIONS, _HIDDEN),
        "embeddings.token_type_embeddings.weight": values(2, _HIDDEN),
        "encoder.relative_attention_bias.weight": values(32, architecture.heads),
    }
    norms = ["embeddings.LayerNorm"]
    for number in range(architecture.layers):
        prefix = f"encoder.layer.{number}."
        for name, size in sizes.items():
            weights[f"{prefix}{name}.weight"], weights[f"{prefix}{name}.bias"] = values(*size), values(size[0])
        norms += [f"{prefix}{architecture.attention_norm}", f"{prefix}output.LayerNorm"]
    for norm in norms:
        weights[f"{norm}.weight"], weights[f"{norm}.bias"] = 1 + values(_HIDDEN), values(_HIDDEN)
    return weights


def write_package(folder: Path, weights: Weights) -> Path:
    """Write a safetensors file and a tokenizer, as a package with weights has them."""
    header, data = {}, b""
    for name, array in weights.items():
        begin = len(data)
        data += array.tobytes()
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [begin, len(data)]}
    described = json.dumps(header).encode()
    described += b" " * (-len(described) % 8)
    (folder / WEIGHTS).write_bytes(len(described).to_bytes(8, "little") + described + data)
    tokenizer = Tokenizer(models.WordPiece({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.save(str(folder / TOKENIZER))
    return folder
