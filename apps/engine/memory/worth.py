"""Worth of the memories that describe a person in every pack: what lasts, was confirmed and is used comes first."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from apps.engine.memory.relations import are_same_statement

MOST_LINES = 30
"""Memories about a person in every pack; the others are found when they are relevant."""
_PER_DOUBLING = 0.25
_OWN_WORDS = 0.5


@dataclass(frozen=True, slots=True)
class DescribingMemory:
    """A memory about a person: its `relevance` now, from 0 to 1, how many messages say it, and how often it was used.

    `is_own_words` if the person said, wrote or approved it.
    """

    id: str
    text: str
    relevance: float
    sources: int = 1
    uses: int = 0
    is_own_words: bool = False

    @property
    def worth(self) -> float:
        """Relevance, more with every doubling of its sources and uses.

        >>> DescribingMemory("a", "", 0.5, sources=4).worth > DescribingMemory("b", "", 0.5).worth
        True
        """
        confirmed = math.log2(max(1, self.sources)) + math.log2(1 + self.uses)
        return self.relevance * (1 + _PER_DOUBLING * confirmed + _OWN_WORDS * self.is_own_words)


def most_worth(memories: Iterable[DescribingMemory], most: int = MOST_LINES) -> list[str]:
    """Return the ids of the memories that are worth most, best first, none of which says what a better one says.

    >>> tea, again, dog = DescribingMemory("tea", "I drink green tea", 0.9), DescribingMemory(
    ...     "again", "I drink green teas", 0.8), DescribingMemory("dog", "I have a dog", 0.7)
    >>> most_worth([dog, again, tea])
    ['tea', 'dog']
    """
    chosen: dict[str, str] = {}
    for one in sorted(memories, key=lambda memory: -memory.worth):
        if len(chosen) == most:
            break
        if not any(are_same_statement(one.text, other) for other in chosen.values()):
            chosen[one.id] = one.text
    return list(chosen)
