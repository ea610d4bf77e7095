"""Ranks of memories by their language and that of the question."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from studies.engine.retention import FindRetention
from studies.simulate import table

FOLDER = Path(__file__).with_name("memories")
OWN, ENGLISH = "own", "english"
FITTED, HELD_OUT = "fitted", "held_out"
_DEPTHS = (1, 3)

Ranks = Mapping[tuple[str, str], FindRetention]
"""The ranks by language and by the language of the question; their kinds are the two halves."""


def report(found: Ranks) -> str:
    rows = [
        (language, asked_in, *(f"{one.within(depth)} of {len(one.ranks)}" for depth in _DEPTHS), _held_out(one))
        for (language, asked_in), one in found.items()
    ]
    return table([("memories in", "asked in", "first", "within 3", "within 3, held out"), *rows])


def numbers(found: Ranks) -> dict[str, int]:
    return {
        f"{language}_{asked_in}_find_at_{depth}": one.within(depth)
        for (language, asked_in), one in found.items()
        for depth in _DEPTHS
    }


def _held_out(found: FindRetention) -> str:
    asked = sum(kind == HELD_OUT for kind, _ in found.ranks)
    return f"{found.within(3, {HELD_OUT})} of {asked}"
