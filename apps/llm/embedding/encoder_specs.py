"""CTranslate2 models of transformer encoders, built from the tensors of a safetensors file in 8 bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ctranslate2.specs import TransformerEncoderModelSpec, TransformerEncoderSpec
    from numpy import float32
    from numpy.typing import NDArray

    Weights = Mapping[str, NDArray[float32]]

# BERT's and MPNet's second table of embeddings, which is added to that of the words.
_TOKEN_TYPES, _POSITIONS = "embeddings.token_type_embeddings.weight", "embeddings.position_embeddings.weight"
_DISTANCES = "encoder.relative_attention_bias.weight"
_LARGEST_DISTANCE = 128
_ROWS = 8_192
"""Rows of a matrix that are in memory as floats at once."""


@dataclass(frozen=True, slots=True)
class Architecture:
    """The size of an encoder, and the names of its tensors where families differ.

    `attention` names the projections of queries, keys and values, `attended` the one of their result. With
    `relative_positions` attention has a bias by distance, in buckets as in T5, besides absolute positions.
    """

    layers: int
    heads: int
    epsilon: float
    attention: tuple[str, str, str] = ("attention.self.query", "attention.self.key", "attention.self.value")
    attended: str = "attention.output.dense"
    attention_norm: str = "attention.output.LayerNorm"
    relative_positions: bool = False
    first_position: int = 0


MPNET_NAMES: dict[str, Any] = {
    "attention": ("attention.attn.q", "attention.attn.k", "attention.attn.v"),
    "attended": "attention.attn.o",
    "attention_norm": "attention.LayerNorm",
}


def encoder_spec(weights: Weights, architecture: Architecture, words: Sequence[str]) -> TransformerEncoderModelSpec:
    """Return the model of these weights with the vocabulary in the order of its ids; `save` writes it to a folder."""
    from ctranslate2.specs import TransformerEncoderModelSpec  # noqa: PLC0415  # only in processes that convert

    encoder = _empty_encoder(architecture)
    _embeddings(encoder, weights, architecture)
    for number, layer in enumerate(encoder.layer):
        _layer(layer, weights, f"encoder.layer.{number}.", architecture)
    spec = TransformerEncoderModelSpec(encoder)
    spec.register_vocabulary(list(words))
    spec.config.layer_norm_epsilon = architecture.epsilon
    spec.validate()
    return spec


def _empty_encoder(architecture: Architecture) -> TransformerEncoderSpec:
    from ctranslate2.specs import TransformerEncoderSpec, common_spec  # noqa: PLC0415  # only in processes that convert

    encoder = TransformerEncoderSpec(
        architecture.layers,
        architecture.heads,
        pre_norm=False,
        activation=common_spec.Activation.GELU,
        layernorm_embedding=True,
        num_source_embeddings=2,
        embeddings_merge=common_spec.EmbeddingsMerge.ADD,
        relative_attention_bias=architecture.relative_positions,
    )
    encoder.scale_embeddings = False
    return encoder


def _embeddings(encoder: TransformerEncoderSpec, weights: Weights, architecture: Architecture) -> None:
    relative, positions = architecture.relative_positions, weights[_POSITIONS][architecture.first_position :]
    _quantize(encoder.embeddings[0], weights["embeddings.word_embeddings.weight"])
    # An encoder with relative positions has no absolute ones in CTranslate2: they are passed as types of the tokens.
    _quantize(encoder.embeddings[1], positions if relative else weights[_TOKEN_TYPES])
    if not relative:
        encoder.position_encodings.encodings = positions
    _norm(encoder.layernorm_embedding, weights, "embeddings.LayerNorm")


def _layer(layer: Any, weights: Weights, prefix: str, architecture: Architecture) -> None:
    attention = layer.self_attention
    _dense(attention.linear[0], weights, [prefix + name for name in architecture.attention])
    _dense(attention.linear[1], weights, [prefix + architecture.attended])
    _norm(attention.layer_norm, weights, prefix + architecture.attention_norm)
    _dense(layer.ffn.linear_0, weights, [f"{prefix}intermediate.dense"])
    _dense(layer.ffn.linear_1, weights, [f"{prefix}output.dense"])
    _norm(layer.ffn.layer_norm, weights, f"{prefix}output.LayerNorm")
    if architecture.relative_positions:
        _distances(attention, weights)


def _distances(attention: Any, weights: Weights) -> None:
    """Set the bias by distance, which all layers share."""
    import numpy as np  # noqa: PLC0415  # only imported in processes that convert

    attention.relative_attention_bias = weights[_DISTANCES]
    attention.relative_attention_max_distance = np.int32(_LARGEST_DISTANCE)


def _dense(spec: Any, weights: Weights, names: Sequence[str]) -> None:
    """Set a projection, or several of the same input as one."""
    import numpy as np  # noqa: PLC0415  # only imported in processes that convert

    _quantize(spec, np.concatenate([weights[f"{name}.weight"] for name in names]))
    spec.bias = np.concatenate([weights[f"{name}.bias"] for name in names])


def _norm(spec: Any, weights: Weights, name: str) -> None:
    spec.gamma, spec.beta = weights[f"{name}.weight"], weights[f"{name}.bias"]


def _quantize(spec: Any, values: NDArray[float32]) -> None:
    """Set the values in 8 bits with a scale for each row, as `spec.optimize("int8")` would.

    That needs all tensors in memory as floats at once; this needs some rows of one.
    """
    import numpy as np  # noqa: PLC0415  # only imported in processes that convert

    weight, scale = np.empty(values.shape, np.int8), np.empty(len(values), np.float32)
    for begin in range(0, len(values), _ROWS):
        rows = np.asarray(values[begin : begin + _ROWS], dtype=np.float32)
        largest = np.abs(rows).max(axis=1)
        scale[begin : begin + _ROWS] = np.float32(127) / np.where(largest > 0, largest, np.float32(127))
        weight[begin : begin + _ROWS] = np.rint(rows * scale[begin : begin + _ROWS, None])
    spec.weight, spec.weight_scale = weight, scale
