"""The network that judges relevance: the reader's encoder with a head that compares a memory with a message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from apps.llm.reading.e5 import E5File
from studies.reading.network import DROPOUT, Network, heads_named

HEADS = ("compared", "relevance")


class RelevanceNetwork(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
    """The score of a memory for a message; the lowest `frozen` layers are not changed."""

    def __init__(self, source: E5File, frozen: int) -> None:
        super().__init__()
        self.encoder = Network(source, frozen)
        size = source.sizes.hidden
        self.dropout = nn.Dropout(DROPOUT)
        self.compared = nn.Linear(2 * size, size)
        self.relevance = nn.Linear(size, 1)

    def forward(self, lower: Tensor, padding: Tensor) -> Tensor:
        """Scores, from the vectors of tokens that `encoder.lower` gives."""
        hidden = self.encoder.upper(lower, padding)
        real = (~padding)[:, :, None].to(hidden.dtype)
        whole = torch.cat([hidden[:, 0], (hidden * real).sum(1) / real.sum(1)], 1)
        inner = nn.functional.gelu(self.compared(self.dropout(whole)), approximate="tanh")
        return self.relevance(inner).squeeze(-1).float()

    def trained(self) -> Sequence[tuple[float, list[Tensor]]]:
        """The share of the learning rate that parts have, with their weights."""
        encoder = [one for one in self.encoder.layers.parameters() if one.requires_grad]
        return [(1.0, encoder), (6.0, [*self.compared.parameters(), *self.relevance.parameters()])]

    def tensors(self) -> dict[str, Any]:
        """The weights that training changes: the encoder's by BERT's names, the heads' by their own."""
        named = [*self.encoder.encoder_named(), *heads_named(self, HEADS)]
        return {name: values.detach().cpu().float().numpy() for name, values in named}
