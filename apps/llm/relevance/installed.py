"""The judge of relevance of this installation: a cross-encoder, which reads a memory and a message together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from apps.llm.embedding.weights import package_folder
from apps.llm.middleware.metering import require_no_transaction
from apps.llm.own_models.calls import run_model
from apps.llm.reading.network import PACKAGE, Network
from apps.llm.reading.tokens import memory_tokens

WEIGHTS = Path(__file__).with_name("trained") / "0.npz"
"""CARD.md beside them says what they are."""
_LONGEST = 400
"""Characters of a message that are read with each memory."""


def relevance_chances(message: str, memories: Sequence[str]) -> list[float]:
    """Return of each memory the chance that it is relevant to a message, 0 to 1.

    The network is loaded on first use. Call it outside a unit of work. Raises `ModelError` if the package with its
    embeddings of words is missing.
    """
    require_no_transaction()
    return run_model(_chances, message[:_LONGEST], list(memories)) if memories else []


def _chances(message: str, memories: Sequence[str]) -> list[float]:
    network = relevance_network()
    inputs = [memory_tokens(network.encoder.tokenizer, memory, message).ids for memory in memories]
    return [network.heads.relevance(hidden) for hidden in network.encoder.hidden_states(inputs)]


def require_judge() -> None:
    """Raise `ModelError` if the package with its embeddings of words is missing."""
    package_folder(PACKAGE, PACKAGE)


@cache
def relevance_network() -> Network:
    """The process's network."""
    return Network(WEIGHTS)
