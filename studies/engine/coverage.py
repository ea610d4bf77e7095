"""Evidence coverage: the share of the turns a question needs that a pack includes.

A turn is present if nine tenths of its characters are included consecutively.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

_PRESENT_PERCENT = 90


@dataclass(frozen=True, slots=True)
class Share:
    """`present` of `total` turns are in the pack."""

    present: int = 0
    total: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(self.present + other.present, self.total + other.total)

    @property
    def value(self) -> float:
        return self.present / self.total if self.total else 0.0


def evidence_in(text: str, turns: Iterable[str]) -> Share:
    """Count the turns that a text includes."""
    present = [is_present(turn, text) for turn in turns]
    return Share(sum(present), len(present))


def is_present(turn: str, text: str) -> bool:
    """Whether the text includes at least nine tenths of the turn.

    >>> is_present("I bought a red bicycle", "user: I bought a red bicyc…"), is_present("I bought it", "I bought")
    (True, False)
    """
    length = -(-len(turn) * _PRESENT_PERCENT // 100)
    return any(turn[begin : begin + length] in text for begin in range(len(turn) - length + 1))
