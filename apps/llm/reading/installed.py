"""The reader of this installation: the networks that are trained on all of the material."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from apps.engine.reading.chances import MessageInput, MessageRead
from apps.llm.middleware.metering import require_no_transaction
from apps.llm.reading.reader import Reader

TRAINED = Path(__file__).with_name("trained")
"""A file of weights for each network; CARD.md beside them says what they are."""


def read_messages(messages: Sequence[MessageInput]) -> list[MessageRead]:
    """Return what messages hold.

    The reader is loaded on first use, in about a second; with a new version of it, it is first converted. Call it
    outside a unit of work. Raises `ModelError` if the package with its embeddings of words is missing.
    """
    require_no_transaction()
    return installed_reader().read(messages) if messages else []


def read_relations(pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
    """Return of each earlier and later statement the chances of what the later one is to the earlier one.

    They are in the order of `labels.RELATIONS`. Call it outside a unit of work, and only if `reader_compares`; raises
    `ModelError`.
    """
    require_no_transaction()
    return installed_reader().relations(pairs) if pairs else []


def reader_compares() -> bool:
    """Whether the installed networks were trained to compare statements; raises `ModelError`."""
    return installed_reader().compares


@cache
def installed_reader() -> Reader:
    """The process's reader."""
    return Reader(sorted(TRAINED.glob("*.npz")))
