"""Counts of searches whose question is answered by a memory or by none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

ANSWERED_SHARE = 0.9
FIRST = 3


@dataclass(frozen=True)
class Answer:
    """What a search gave: the place of the memory that answers the question, and the best result's chance.

    `place` begins with 0; it is None if the memory is not among the results, or if none answers.
    """

    is_answerable: bool
    place: int | None
    chance: float


def numbers(answers: Sequence[Answer]) -> dict[str, float]:
    """The share found among the first, and how well chances tell answerable questions from others.

    >>> found = [Answer(True, 0, 0.9), Answer(True, 4, 0.4), Answer(False, None, 0.6), Answer(False, None, 0.1)]
    >>> numbers(found)
    {'questions': 4, 'at3': 0.5, 'auc': 0.75, 'precision_at_recall_90': 0.667, 'limit': 0.4}
    """
    answerable = [one for one in answers if one.is_answerable]
    others = [one.chance for one in answers if not one.is_answerable]
    found = sum(one.place is not None and one.place < FIRST for one in answerable)
    limit = limit_of([one.chance for one in answerable])
    taken = sum(one.chance >= limit for one in answerable)
    wrongly = sum(chance >= limit for chance in others)
    return {
        "questions": len(answers),
        "at3": round(found / max(1, len(answerable)), 3),
        "auc": round(area([one.chance for one in answerable], others), 3),
        "precision_at_recall_90": round(taken / max(1, taken + wrongly), 3),
        "limit": round(limit, 3),
    }


def limit_of(chances: Sequence[float]) -> float:
    """The chance from which on the wanted share of answerable questions gets a result."""
    ordered = sorted(chances)
    return ordered[int((1 - ANSWERED_SHARE) * len(ordered) + 1e-9)] if ordered else 0.0


def area(higher: Sequence[float], lower: Sequence[float]) -> float:
    """How often one of the first is higher than one of the second; equal ones count half."""
    pairs = list(product(higher, lower))
    return sum(1.0 if one > other else 0.5 if one == other else 0.0 for one, other in pairs) / max(1, len(pairs))
