"""Call estimates, budget reservations, and the guard that makes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from apps.llm.providers.base import Purpose

# Outside ASCII a token rarely covers more than one or two characters, of two or three bytes each.
_ASCII_BYTES, _OTHER_BYTES = 3, 2


@dataclass(frozen=True, slots=True)
class CallEstimate:
    """Expected size of a call: the prompt's tokens by our estimate and by its bytes, the answer's token limit, and the
    maximum number of model turns for one answer."""

    purpose: Purpose
    provider: str
    model: str
    input_tokens: int
    output_tokens: int
    tokens_by_bytes: int = 0
    turns: int = 1


@dataclass(frozen=True, slots=True)
class Reservation:
    """Budget set aside for a call until its usage is known; zero if the workspace has no ceiling."""

    day: date
    tokens: int = 0
    cost_micros: int = 0


def tokens_by_bytes(texts: Iterable[str]) -> int:
    """An upper bound of the tokens that providers usually count, for any script.

    >>> tokens_by_bytes(["abc" * 10]), tokens_by_bytes(["数据库"])
    (10, 5)
    """
    text = "".join(texts)
    ascii_bytes = len(text.encode("ascii", "ignore"))
    other_bytes = len(text.encode("utf-8", "replace")) - ascii_bytes
    return -(-ascii_bytes // _ASCII_BYTES) - (-other_bytes // _OTHER_BYTES)


class Guard(Protocol):
    """Budget check before every attempt at a call."""

    async def reserve(self, estimate: CallEstimate, left: Sequence[Reservation] = ()) -> Reservation:
        """Reserve what the call needs beyond `left`, the unused reservations of earlier attempts of the same work.

        Raises `ModelError` if the call is not allowed.
        """
