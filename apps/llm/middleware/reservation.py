"""What a call holds of a day's spending before it is made, and who decides whether it may."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from apps.llm.providers.base import Purpose

# In other scripts than ASCII's a token rarely has more than one or two characters, of two or three bytes each.
_ASCII_BYTES, _OTHER_BYTES = 3, 2


@dataclass(frozen=True, slots=True)
class CallEstimate:
    """What a call is about to ask: tokens of the prompt by our own estimate and by its bytes, the most that may come
    back, and how often the model may be asked for one answer."""

    purpose: Purpose
    provider: str
    model: str
    input_tokens: int
    output_tokens: int
    tokens_by_bytes: int = 0
    turns: int = 1


@dataclass(frozen=True, slots=True)
class Reservation:
    """What a call keeps of a day while nobody knows what it takes; nothing where the workspace has no ceiling."""

    day: date
    tokens: int = 0
    cost_micros: int = 0


def tokens_by_bytes(texts: Iterable[str]) -> int:
    """More than providers count as a rule, whatever the script.

    >>> tokens_by_bytes(["abc" * 10]), tokens_by_bytes(["数据库"])
    (10, 5)
    """
    text = "".join(texts)
    ascii_bytes = len(text.encode("ascii", "ignore"))
    other_bytes = len(text.encode("utf-8", "replace")) - ascii_bytes
    return -(-ascii_bytes // _ASCII_BYTES) - (-other_bytes // _OTHER_BYTES)


class Guard(Protocol):
    """Stands in front of every attempt at a call; raises `ModelError` where there must be none."""

    async def reserve(self, estimate: CallEstimate, left: Sequence[Reservation] = ()) -> Reservation:
        """What must be kept beside what earlier attempts of the same work kept and did not take."""
