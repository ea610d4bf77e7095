"""Names of entities that a conversation keeps using, in the form that addresses have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from apps.engine.memory.addresses import slug

MAX_NAME_WORDS = 3
"""Words of the longest name that is recognized."""
_LASTING_MESSAGES = 2
_POSSESSIVES = ("'s", "’s")
_SENTENCE_ENDS = (".", "!", "?", ":", "…")


@dataclass(frozen=True, slots=True)
class LastingNames:
    """Possible names, the most frequent first, and which of one word are written as proper names are.

    That is with a capital inside a sentence, or at its beginning if the word is never written without.
    """

    names: tuple[str, ...]
    proper: frozenset[str]

    def means(self, name: str, texts: Iterable[str]) -> bool:
        """Whether the conversation means the entity of that name, of which texts are known.

        A name that these texts write with a capital alone, such as "Will" or "May", is no ordinary word.

        >>> names = lasting_names([], ["I will ship it.", "It will be fine."])
        >>> names.means("will", ["Will is a plumber."]), names.means("will", ["The will is at the notary's."])
        (False, True)
        """
        if "-" in name or name in self.proper:
            return True
        spellings = {not word[0].isupper() for text in texts for word in _words(text) if slug(word) == name}
        return spellings != {False}


def lasting_names(headlines: Iterable[str], messages: Iterable[str]) -> LastingNames:
    """Names of one to three words that a headline or at least two messages have.

    Headlines are short texts about the whole conversation, such as its title and the lines of its summary.

    >>> lasting_names(["The café"], ["How is Ember?", "Ember's date?"]).names
    ('ember', 'the', 'the-café', 'café')
    """
    headlines, messages = list(headlines), list(messages)
    names = Counter(chain(*map(_names, headlines)))
    spoken = Counter(chain(*map(_names, messages)))
    names.update({name: count for name, count in spoken.items() if name in names or count >= _LASTING_MESSAGES})
    return LastingNames(tuple(name for name, _ in names.most_common()), _proper(chain(headlines, messages)))


def _names(text: str) -> Iterator[str]:
    """Yield each name of a text once."""
    words = [slug(word) for word in _words(text)]
    runs = chain(*(_runs(words, begin) for begin in range(len(words))))
    return iter(dict.fromkeys(runs))


def _runs(words: Sequence[str], begin: int) -> Iterator[str]:
    longest = min(MAX_NAME_WORDS, len(words) - begin)
    return ("-".join(words[begin : begin + length]) for length in range(1, longest + 1))


def _proper(texts: Iterable[str]) -> frozenset[str]:
    inside, first, small = set[str](), set[str](), set[str]()
    for word, begins in chain(*map(_placed_words, texts)):
        spelled = small if not word[0].isupper() else first if begins else inside
        spelled.add(slug(word))
    return frozenset(inside | (first - small))


def _placed_words(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each word, and whether it begins a sentence."""
    for line in text.splitlines():
        begins = True
        for word in line.split():
            if bare := _bare(word):
                yield bare, begins
            begins = word.endswith(_SENTENCE_ENDS)


def _words(text: str) -> list[str]:
    return [bare for word in text.split() if (bare := _bare(word))]


def _bare(word: str) -> str:
    """A word without the marks around it and without a possessive ending."""
    word = word.strip("\"'“”‘’«»„()[]{}*_`.,;:!?…¿¡")
    return next((word.removesuffix(ending) for ending in _POSSESSIVES if word.endswith(ending)), word)
