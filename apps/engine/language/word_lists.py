"""Lists of words, written as running text."""

from __future__ import annotations

_LOOK_ALIKES = str.maketrans({"\u017f": "s", "\u0131": "i", "\u0130": "I", "\u212a": "K"})


def plain_letters(text: str) -> str:
    """The text with the letters of lists for those that a pattern takes for them when it ignores case.

    Every character stays in its place: a long s, an i without dot, an I with one, and the sign for kelvin.

    >>> plain_letters("three week\u017f, vegetar\u0131an")
    'three weeks, vegetarian'
    """
    return text.translate(_LOOK_ALIKES)


def listed(text: str) -> frozenset[str]:
    """The words of a list.

    >>> sorted(listed("red green"))
    ['green', 'red']
    """
    return frozenset(text.split())
