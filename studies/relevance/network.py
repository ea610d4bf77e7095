"""The network that compares a memory with a message: the reader's encoder with two heads, for relevance and ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from apps.engine.reading.labels import RELATIONS
from apps.llm.reading.e5 import E5File
from studies.reading.network import DROPOUT, Network, heads_named

HEADS = ("compared", "relevance", "relation")


class RelevanceNetwork(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
    """Scores of a memory for a message, and of what the message is to it; the lowest layers are not changed."""

    def __init__(self, source: E5File, frozen: int) -> None:
        super().__init__()
        self.encoder = Network(source, frozen)
        size = source.sizes.hidden
        self.dropout = nn.Dropout(DROPOUT)
        self.compared = nn.Linear(2 * size, size)
        self.relevance = nn.Linear(size, 1)
        self.relation = nn.Linear(2 * size, len(RELATIONS))

    def forward(self, lower: Tensor, padding: Tensor) -> tuple[Tensor, Tensor]:
        """Scores of relevance and of relations, from the vectors of tokens that `encoder.lower` gives."""
        hidden = self.encoder.upper(lower, padding)
        real = (~padding)[:, :, None].to(hidden.dtype)
        whole = torch.cat([hidden[:, 0], (hidden * real).sum(1) / real.sum(1)], 1)
        whole = self.dropout(whole)
        inner = nn.functional.gelu(self.compared(whole), approximate="tanh")
        return self.relevance(inner).squeeze(-1).float(), self.relation(whole).float()

    def trained(self) -> Sequence[tuple[float, list[Tensor]]]:
        """The share of the learning rate that parts have, with their weights."""
        heads = [weights for name in HEADS for weights in getattr(self, name).parameters()]
        encoder = [one for one in self.encoder.layers.parameters() if one.requires_grad]
        return [(1.0, encoder), (6.0, heads)]

    def tensors(self) -> dict[str, Any]:
        """The weights that training changes: the encoder's by BERT's names, the heads' by their own."""
        named = [*self.encoder.encoder_named(), *heads_named(self, HEADS)]
        return {name: values.detach().cpu().float().numpy() for name, values in named}
