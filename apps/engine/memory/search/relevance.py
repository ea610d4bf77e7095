"""Whether anything that a search found is relevant to its query at all."""

from __future__ import annotations

from collections.abc import Sequence

_NEAREST, _AROUND = 1.0, 1.0
_AROUND_COUNT = 10
_THRESHOLD = 0.5


def is_anything_relevant(similarities: Sequence[float]) -> bool:
    """Judge by the similarities (cosines) of all that was found: the nearest one, and the mean of the ten nearest.

    A query on a known subject is near to several texts, not to one alone.
    """
    nearest = sorted(similarities, reverse=True)[:_AROUND_COUNT]
    if not nearest:
        return False
    return _NEAREST * nearest[0] + _AROUND * sum(nearest) / len(nearest) >= _THRESHOLD
