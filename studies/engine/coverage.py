"""Whether what a question needs stands in a pack: a measure of what budgets, strategies and folding leave.

A turn is present when nine tenths of its characters stand in the pack without a break.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

_PRESENT_PERCENT = 90


@dataclass(frozen=True, slots=True)
class Share:
    """`present` of `asked` turns stand in the pack."""

    present: int = 0
    asked: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(self.present + other.present, self.asked + other.asked)

    @property
    def value(self) -> float:
        return self.present / self.asked if self.asked else 0.0


def evidence_in(text: str, turns: Iterable[str]) -> Share:
    """How many of the turns stand in the text."""
    found = [is_present(turn, text) for turn in turns]
    return Share(sum(found), len(found))


def is_present(turn: str, text: str) -> bool:
    """Whether at least nine tenths of the turn stand in the text.

    >>> is_present("I bought a red bicycle", "user: I bought a red bicyc…"), is_present("I bought it", "I bought")
    (True, False)
    """
    length = -(-len(turn) * _PRESENT_PERCENT // 100)
    return any(turn[begin : begin + length] in text for begin in range(len(turn) - length + 1))
