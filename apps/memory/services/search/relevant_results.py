"""The results of a search up to the last that is relevant."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

from apps.llm.errors import ModelError
from apps.memory.records.search import HitKind
from apps.memory.records.tree_search import NOT_JUDGED, NOTHING_RELEVANT, TreeHit, TreeSearchResult
from apps.memory.selectors.search.relevance import is_likely
from apps.memory.services.search.relevance import with_memory_chances

_OF_ODDS = 0.06
"""What the logarithm of a memory's odds adds to its score, which is from 0 to 1."""
_LEAST = 1e-4


def with_chances(text: str, result: TreeSearchResult, least: float) -> TreeSearchResult:
    """Return the results with the chances of the best memories, which are in the order of score and chance together.

    Call it outside a unit of work.
    """
    try:
        hits = with_memory_chances(text, [one.hit for one in result.hits], least)
    except ModelError:
        return replace(result, degraded=(*result.degraded, NOT_JUDGED))
    return replace(result, hits=_by_chance([replace(one, hit=hit) for one, hit in zip(result.hits, hits, strict=True)]))


def _by_chance(hits: Sequence[TreeHit]) -> tuple[TreeHit, ...]:
    """The hits with the judged ones in a better order; the others keep their places."""
    judged = iter(sorted((one for one in hits if one.hit.chance is not None), key=_value, reverse=True))
    return tuple(one if one.hit.chance is None else next(judged) for one in hits)


def _value(found: TreeHit) -> float:
    chance = min(max(found.hit.chance or 0.0, _LEAST), 1 - _LEAST)
    return found.score.total + _OF_ODDS * math.log(chance / (1 - chance))


def to_last_relevant(result: TreeSearchResult, least: float, *, near: Collection[HitKind]) -> TreeSearchResult:
    """Return the results without those after the last relevant one.

    A memory is relevant from a chance of `least` on. So are the kinds of hits of which something is `near`, as they are
    not judged: messages, and memories where there is no judge.
    """
    places = [place for place, one in enumerate(result.hits) if is_likely(one.hit, least) or one.hit.kind in near]
    if not places:
        return TreeSearchResult((), result.intent, NOTHING_RELEVANT, result.degraded)
    return replace(result, hits=result.hits[: places[-1] + 1])
