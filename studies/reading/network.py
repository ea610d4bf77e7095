"""The reader as a network that can be trained: the encoder of `apps.llm.reading.e5` with the heads of `heads`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from apps.engine.reading.labels import CATEGORIES, CHANGES, COMMANDS, RELATIONS
from apps.llm.reading.e5 import E5File
from apps.llm.reading.heads import ENDED
from studies.reading.material import attributes

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
HALF = DEVICE == "cuda" or torch.backends.cpu.get_cpu_capability() == "AVX512"
"""Whether to compute in bfloat16, which takes many times as long on a processor that has no AVX-512."""
DROPOUT = 0.1
TOKEN_OUTPUTS = ENDED + 1
MESSAGE_OUTPUTS = 1 + len(COMMANDS)
LAYER = "encoder.layer.{}."
"""BERT's name of a layer, by which its tensors are stored."""
NORMS = {"norm1": "attention.output.LayerNorm", "norm2": "output.LayerNorm"}
DENSE = {
    "self_attn.out_proj": "attention.output.dense",
    "linear1": "intermediate.dense",
    "linear2": "output.dense",
}
HEADS = ("token", "message", "attending", "telling", "span", "label", "naming", "named")
RELATION = "relation"
PROJECTIONS = ("attention.self.query", "attention.self.key", "attention.self.value")


def span_outputs() -> int:
    """Kept, until, categories, changes, another attribute, and the attributes."""
    return 2 + len(CATEGORIES) + len(CHANGES) + 1 + len(attributes())


@dataclass(frozen=True)
class Outputs:
    """What a network says of some messages, as logits: of each token, of each message, of what it is to the statement
    before it, and of each span; `named` scores the tokens as names of whom a span is about."""

    token: Tensor
    message: Tensor
    relation: Tensor
    label: Tensor
    named: Tensor


def padding_of(lengths: Sequence[int], device: Any) -> Tensor:
    """True where there is no token."""
    return torch.arange(max(lengths), device=device)[None] >= torch.tensor(lengths, device=device)[:, None]


class Network(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
    """An encoder, and a head each for tokens, messages and spans.

    Training changes neither the embeddings nor the lowest `frozen` layers. One that `compares` has a head for pairs of
    statements, too.
    """

    def __init__(self, source: E5File, frozen: int = 0, *, compares: bool = True) -> None:
        super().__init__()
        self.frozen = frozen
        self.heads = (*HEADS, RELATION) if compares else HEADS
        size = source.sizes
        self.words = nn.Embedding(len(source.vocabulary.pieces), size.hidden)
        self.positions = nn.Embedding(size.positions, size.hidden)
        self.norm = nn.LayerNorm(size.hidden, eps=size.epsilon)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(
                size.hidden, size.heads, size.inner, DROPOUT, "gelu", size.epsilon, batch_first=True
            )
            for _ in range(size.layers)
        )
        self.dropout = nn.Dropout(DROPOUT)
        self.token = nn.Linear(size.hidden, TOKEN_OUTPUTS)
        self.message = nn.Linear(size.hidden, MESSAGE_OUTPUTS)
        self.attending = nn.Linear(size.hidden, MESSAGE_OUTPUTS)
        self.telling = nn.Linear(size.hidden, MESSAGE_OUTPUTS)
        self.relation = nn.Linear(2 * size.hidden, len(RELATIONS))
        self.span = nn.Linear(4 * size.hidden, size.hidden)
        self.label = nn.Linear(size.hidden, span_outputs())
        self.naming = nn.Linear(size.hidden, size.hidden)
        self.named = nn.Linear(size.hidden, size.hidden)
        for layer in self.layers:
            # Drawing it costs a fifth of a step, and BERT has none between its two dense layers.
            layer.dropout.p = layer.self_attn.dropout = 0.0
        self.load(source.tensors)
        for part in (self.words, self.positions, self.norm, self.layers[:frozen]):
            part.requires_grad_(False)

    def load(self, tensors: Mapping[str, Any]) -> None:
        """Set the encoder's weights from BERT's names."""
        stored = {name: torch.tensor(np.asarray(values, dtype=np.float32)) for name, values in tensors.items()}
        with torch.no_grad():
            self.words.weight.copy_(stored["embeddings.word_embeddings.weight"][: self.words.num_embeddings])
            types = stored["embeddings.token_type_embeddings.weight"][0]
            self.positions.weight.copy_(stored["embeddings.position_embeddings.weight"] + types)
            set_norm(self.norm, stored, "embeddings.LayerNorm")
            for number, layer in enumerate(self.layers):
                set_layer(layer, stored, LAYER.format(number))

    def load_trained(self, tensors: Mapping[str, Any]) -> None:
        """Go on from the weights of another training."""
        with torch.no_grad():
            for name, values in self.trained_named():
                values.copy_(torch.tensor(tensors[name]))

    def lower(self, ids: Tensor) -> Tensor:
        """The vectors of the tokens of messages of one length, after the frozen layers."""
        places = torch.arange(ids.shape[1], device=ids.device)
        values = self.norm(self.words(ids) + self.positions(places))
        for layer in self.layers[: self.frozen]:
            values = layer(values)
        return values

    def upper(self, values: Tensor, padding: Tensor) -> Tensor:
        """The vectors of the tokens, from those of `lower`; `padding` is true where there is no token."""
        values = self.dropout(values)
        for layer in self.layers[self.frozen :]:
            values = layer(values, src_key_padding_mask=padding)
        return self.dropout(values)

    def outputs(self, values: Tensor, padding: Tensor, places: Sequence[tuple[int, int, int]]) -> Outputs:
        """All outputs, from the vectors of `lower`; a span has its message, its first token, and the one after."""
        hidden = self.upper(values, padding)
        real = (~padding)[:, :, None].to(hidden.dtype)
        mean = (hidden * real).sum(1) / real.sum(1)
        spans = torch.tensor(places, dtype=torch.long, device=hidden.device).reshape(-1, 3)
        label, named = self.of_spans(hidden, mean, spans)
        return Outputs(
            self.token(hidden).float(),
            self.of_messages(hidden, mean, padding),
            self.relation(torch.cat([hidden[:, 0], mean], 1)).float(),
            label.float(),
            named.float().masked_fill(padding[spans[:, 0]], -1e4),
        )

    def of_messages(self, hidden: Tensor, mean: Tensor, padding: Tensor) -> Tensor:
        """What messages hold: by their tokens' mean, and by the tokens that tell of each output."""
        scores = self.attending(hidden).float().masked_fill(padding[:, :, None], -1e4)
        return self.message(mean).float() + (scores.softmax(1) * self.telling(hidden).float()).sum(1)

    def of_spans(self, hidden: Tensor, mean: Tensor, spans: Tensor) -> tuple[Tensor, Tensor]:
        """What spans say, and the scores of the tokens for whom they are about.

        `spans` has a row for each: its message, its first token, and the one after its last.
        """
        message, first, past = spans.unbind(1)
        sums = torch.cat([torch.zeros_like(hidden[:, :1]), hidden.cumsum(1, dtype=torch.float32).to(hidden.dtype)], 1)
        own = (sums[message, past] - sums[message, first]) / (past - first)[:, None]
        parts = [own.to(hidden.dtype), hidden[message, first], hidden[message, past - 1], mean[message]]
        inner = nn.functional.gelu(self.span(torch.cat(parts, 1)), approximate="tanh")
        inner = self.dropout(inner)
        scores = (self.named(hidden)[message] @ self.naming(inner)[:, :, None]).squeeze(-1) / hidden.shape[2] ** 0.5
        return self.label(inner), scores

    def tensors(self) -> dict[str, Any]:
        """The weights that training changes, by their names."""
        return {name: values.detach().cpu().float().numpy() for name, values in self.trained_named()}

    def trained_named(self) -> list[tuple[str, Tensor]]:
        """The encoder's weights by BERT's names, the heads' by their own."""
        return [*self.encoder_named(), *heads_named(self, self.heads)]

    def encoder_named(self) -> list[tuple[str, Tensor]]:
        found = [("embeddings.position_embeddings.weight", self.positions.weight)]
        found += norm_named(self.norm, "embeddings.LayerNorm")
        return found + [
            one for number, layer in enumerate(self.layers) for one in layer_named(layer, LAYER.format(number))
        ]


def heads_named(network: nn.Module, heads: Sequence[str]) -> list[tuple[str, Tensor]]:
    """The weights of its heads by their names."""
    return [
        (f"{name}.{part}", values) for name in heads for part, values in network.get_submodule(name).named_parameters()
    ]


def set_norm(norm: nn.LayerNorm, stored: Mapping[str, Tensor], name: str) -> None:
    norm.weight.copy_(stored[f"{name}.weight"])
    norm.bias.copy_(stored[f"{name}.bias"])


def set_layer(layer: nn.TransformerEncoderLayer, stored: Mapping[str, Tensor], prefix: str) -> None:
    attention = layer.self_attn
    attention.in_proj_weight.copy_(torch.cat([stored[f"{prefix}{name}.weight"] for name in PROJECTIONS]))
    attention.in_proj_bias.copy_(torch.cat([stored[f"{prefix}{name}.bias"] for name in PROJECTIONS]))
    for own, name in (DENSE | NORMS).items():
        part = layer.get_submodule(own)
        part.weight.copy_(stored[f"{prefix}{name}.weight"])
        part.bias.copy_(stored[f"{prefix}{name}.bias"])


def norm_named(norm: nn.LayerNorm, name: str) -> list[tuple[str, Tensor]]:
    return [(f"{name}.weight", norm.weight), (f"{name}.bias", norm.bias)]


def layer_named(layer: nn.TransformerEncoderLayer, prefix: str) -> list[tuple[str, Tensor]]:
    attention = layer.self_attn
    found = []
    for kind, joined in (("weight", attention.in_proj_weight), ("bias", attention.in_proj_bias)):
        parts = joined.chunk(len(PROJECTIONS))
        found += [(f"{prefix}{name}.{kind}", part) for name, part in zip(PROJECTIONS, parts, strict=True)]
    for own, name in (DENSE | NORMS).items():
        part = layer.get_submodule(own)
        found += [(f"{prefix}{name}.weight", part.weight), (f"{prefix}{name}.bias", part.bias)]
    return found
