"""The judge of relevance of this installation: a cross-encoder, which reads a memory and a message together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import BoundedSemaphore

from django.conf import settings

from apps.llm.embedding.weights import package_folder
from apps.llm.errors import ModelError
from apps.llm.middleware.metering import require_no_transaction
from apps.llm.own_models.calls import run_model
from apps.llm.reading.network import PACKAGE, Network
from apps.llm.reading.tokens import memory_tokens

WEIGHTS = Path(__file__).with_name("trained") / "0.npz"
"""CARD.md beside them says what they are."""
_LONGEST = 400
"""Characters of a message that are read with each memory."""


def relevance_chances(message: str, memories: Sequence[str]) -> list[float]:
    """Return the chance of each memory that it is relevant to a message, 0 to 1, as `chances_for_each` does."""
    (chances,) = chances_for_each([message], memories)
    return chances


def chances_for_each(
    messages: Sequence[str], memories: Sequence[str], timeout_s: float | None = None
) -> list[list[float]]:
    """Return for each message a list with the chance of each memory that it is relevant, 0 to 1.

    The network is loaded on first use. Call it outside a unit of work. Raises `ModelError` if the package with its
    embeddings of words is missing, and if the judge is still busy with other messages after `timeout_s`.
    """
    require_no_transaction()
    if not memories:
        return [[] for _ in messages]
    return run_model(_chances, [message[:_LONGEST] for message in messages], list(memories), timeout_s)


def _chances(messages: Sequence[str], memories: Sequence[str], timeout_s: float | None) -> list[list[float]]:
    network = relevance_network()
    tokenizer = network.encoder.tokenizer
    inputs = [memory_tokens(tokenizer, memory, message).ids for message in messages for memory in memories]
    with _encoder_slot(timeout_s):
        chances = [network.heads.relevance(hidden) for hidden in network.encoder.hidden_states(inputs)]
    return [chances[start : start + len(memories)] for start in range(0, len(chances), len(memories))]


@contextmanager
def _encoder_slot(timeout_s: float | None) -> Iterator[None]:
    """Wait for a thread of the encoder: a call in its own queue could not be withdrawn. Raises `ModelError`."""
    slots = _slots()
    if not slots.acquire(timeout=timeout_s):
        raise ModelError("timeout", "The judge of relevance is busy with other messages.")
    try:
        yield
    finally:
        slots.release()


@cache
def _slots() -> BoundedSemaphore:
    """This process's semaphore, with a permit for each thread of the encoder."""
    return BoundedSemaphore(settings.EMBEDDING_THREADS)


def require_judge() -> None:
    """Raise `ModelError` if the package with its embeddings of words is missing."""
    package_folder(PACKAGE, PACKAGE)


@cache
def relevance_network() -> Network:
    """The process's network."""
    return Network(WEIGHTS)
