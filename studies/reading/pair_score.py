"""Counts of how the reader judges what a later statement does to an earlier one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.engine.memory.relations import STILL_HOLDS
from apps.engine.reading.labels import ENDING, RELATIONS
from studies.reading.material import Pair
from studies.reading.score import share


def pair_numbers(pairs: Sequence[Pair], chances: Sequence[Sequence[float]]) -> Mapping[str, float]:
    """The shares of statements that end for which the reader leaves it to the words, and of others that it clears.

    A statement is cleared if its chance of having ended is below `STILL_HOLDS`.
    """
    judged = [(is_ending(pair), sum(one[:ENDING])) for pair, one in zip(pairs, chances, strict=True)]
    ended = [chance for is_end, chance in judged if is_end]
    others = [chance for is_end, chance in judged if not is_end]
    return {
        "pairs": len(judged),
        "ended_not_cleared": share(sum(chance >= STILL_HOLDS for chance in ended), len(ended)),
        "others_cleared": share(sum(chance < STILL_HOLDS for chance in others), len(others)),
    }


def is_ending(pair: Pair) -> bool:
    """Whether the later statement ends the earlier one."""
    return pair.relation in RELATIONS[:ENDING]
