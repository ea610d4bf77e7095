"""Names of entities that a conversation keeps using, in the form that addresses have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from apps.engine.memory.addresses import slug

MAX_NAME_WORDS = 3
"""Words of the longest name that is recognized."""
_LASTING_MESSAGES = 2
_POSSESSIVES = ("'s", "’s")


def lasting_names(headlines: Iterable[str], messages: Iterable[str]) -> list[str]:
    """Possible names of one to three words that a headline or at least two messages have, the most frequent first.

    Headlines are short texts about the whole conversation, such as its title and the lines of its summary.

    >>> lasting_names(["The café"], ["How is Ember?", "Ember's date?"])
    ['ember', 'the', 'the-café', 'café']
    """
    names = Counter(chain(*map(_names, headlines)))
    spoken = Counter(chain(*map(_names, messages)))
    names.update({name: count for name, count in spoken.items() if name in names or count >= _LASTING_MESSAGES})
    return [name for name, _ in names.most_common()]


def _names(text: str) -> Iterator[str]:
    """Yield each name of a text once."""
    words = [slug(_without_possessive(word)) for word in text.split()]
    runs = chain(*(_runs(words, begin) for begin in range(len(words))))
    return iter(dict.fromkeys(runs))


def _runs(words: Sequence[str], begin: int) -> Iterator[str]:
    longest = min(MAX_NAME_WORDS, len(words) - begin)
    return ("-".join(words[begin : begin + length]) for length in range(1, longest + 1))


def _without_possessive(word: str) -> str:
    return next((word.removesuffix(ending) for ending in _POSSESSIVES if word.endswith(ending)), word)
