"""The order of results for a question that asks for several things: spread over the days they are from."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

Result = TypeVar("Result")
SAME_DAY = 0.03
"""What each better result of the same day takes from a result's score, to rank it."""


def spread(
    results: Sequence[Result], most: int, *, score: Callable[[Result], float], day: Callable[[Result], Hashable]
) -> list[Result]:
    """Choose the results, which are ordered by score, one after the other: the best, less what its day costs it.

    >>> spread([("a", 1.0, 1), ("b", 0.99, 1), ("c", 0.98, 2)], 2, score=lambda one: one[1], day=lambda one: one[2])
    [('a', 1.0, 1), ('c', 0.98, 2)]
    """
    days: dict[Hashable, list[Result]] = {}
    for result in results:
        days.setdefault(day(result), []).append(result)
    ranked = [
        (score(result) - SAME_DAY * better, result)
        for same_day in days.values()
        for better, result in enumerate(same_day)
    ]
    return [result for _, result in sorted(ranked, key=lambda one: -one[0])[:most]]
