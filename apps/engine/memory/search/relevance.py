"""Whether anything that a search found is relevant to its query at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RelevanceThresholds:
    """The similarity (cosine) of the nearest passage from which a search has results, calibrated for one model.

    With messages it is higher: they are many and long, so that one is near to any question by chance.
    """

    memories: float
    messages: float


def is_anything_relevant(
    similarities: Iterable[float], thresholds: RelevanceThresholds, *, with_messages: bool
) -> bool:
    """Judge by the nearest of all passages that were compared.

    >>> calibrated = RelevanceThresholds(memories=0.2, messages=0.3)
    >>> [is_anything_relevant([0.1, 0.25], calibrated, with_messages=one) for one in (False, True)]
    [True, False]
    """
    return max(similarities, default=0.0) >= (thresholds.messages if with_messages else thresholds.memories)
