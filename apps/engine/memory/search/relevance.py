"""Relevance of the passages nearest to a query: whether a search has results at all.

In an embedding space some texts are near to any question: "When can they come?" is near to every text with a day in it.
Similarities are therefore corrected by how near both are to generic questions, as cross-domain similarity local scaling
(CSLS, Conneau et al. 2018) corrects for such hubs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

COMPARED = 10
"""How many of the nearest passages are judged."""
NEAREST_GENERIC = 5
"""The hubness of a text is the mean of its similarities with so many of the nearest generic questions."""
_PASSAGE_HUBNESS, _QUERY_HUBNESS = 0.15, 0.2
_BEST, _THREE_BEST = 0.6, 0.4


@dataclass(frozen=True, slots=True)
class RelevanceThresholds:
    """The scores from which a search has results, calibrated for one embedding model.

    With messages it is higher: they are many and long, so that one is near to any question by chance. `topics` is the
    score from which a single memory is about what a conversation is lastingly about.
    """

    memories: float
    messages: float
    topics: float


@dataclass(frozen=True, slots=True)
class NearPassage:
    """The similarity (cosine) of a passage with the query, and its hubness."""

    similarity: float
    hubness: float


def relevance_score(passages: Sequence[NearPassage], query_hubness: float) -> float:
    """The corrected similarities of the best passage and of the three best, weighted.

    >>> day, dog = NearPassage(0.45, 0.6), NearPassage(0.44, 0.1)
    >>> [round(relevance_score([one], 0.3), 2) for one in (day, dog)]
    [0.3, 0.37]
    """
    corrected = sorted((one.similarity - _PASSAGE_HUBNESS * one.hubness for one in passages), reverse=True)[:3]
    if not corrected:
        return 0.0
    best, mean = corrected[0], sum(corrected) / len(corrected)
    return _BEST * best + _THREE_BEST * mean - _QUERY_HUBNESS * query_hubness
