"""The certainty that a span is a memory: by its tokens, and by the span as a whole."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from apps.engine.memory.categories import Category
from apps.engine.reading.chances import MessageRead
from apps.engine.reading.labels import COMMANDS

_Label = TypeVar("_Label", str, Category)

COMMAND = 0.5
"""The least chance of a command."""
SECRET = 0.5
"""From this chance on a span holds a secret, and is never a memory."""
NAME = 0.6
"""The least chance of the words that name whom a span is about."""


def likeliest(chances: Iterable[float], labels: Iterable[_Label]) -> _Label:
    """The label with the best chance."""
    return max(zip(chances, labels, strict=True), key=lambda pair: pair[0])[1]


def certainty(tagged: float, as_whole: float) -> float:
    """The chance that a span is a memory: `tagged` by its tokens, `as_whole` by the span as a whole.

    The two are averaged as factors: both must be sure.

    >>> round(certainty(0.9, 0.8), 2)
    0.85
    """
    return float((tagged * as_whole) ** 0.5)


def command_of(read: MessageRead) -> str:
    """The command that a message gives, one of `COMMANDS`; empty if it gives none."""
    return likeliest(read.command, COMMANDS) if max(read.command) >= COMMAND else ""
