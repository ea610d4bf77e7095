"""The reader of this installation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from apps.engine.reading.chances import MessageInput, MessageRead
from apps.engine.reading.labels import ENDING
from apps.llm.middleware.metering import require_no_transaction
from apps.llm.own_models.calls import run_model
from apps.llm.reading.reader import Reader

WEIGHTS = Path(__file__).with_name("trained") / "0.npz"
"""CARD.md beside them says what they are."""


def read_messages(messages: Sequence[MessageInput]) -> list[MessageRead]:
    """Return what messages hold.

    The reader is loaded on first use, in about a second; with a new version of it, it is first converted. Call it
    outside a unit of work. Raises `ModelError` if the package with its embeddings of words is missing.
    """
    require_no_transaction()
    return run_model(_read, list(messages)) if messages else []


def ended_chances(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Return of each earlier and later statement the chance that the earlier one no longer holds.

    Call it outside a unit of work; raises `ModelError`.
    """
    require_no_transaction()
    relations = run_model(_relations, list(pairs)) if pairs else []
    return [sum(chances[:ENDING]) for chances in relations]


def _read(messages: Sequence[MessageInput]) -> list[MessageRead]:
    return installed_reader().read(messages)


def _relations(pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
    return installed_reader().relations(pairs)


@cache
def installed_reader() -> Reader:
    """The process's reader."""
    return Reader(WEIGHTS)
