"""Lists of words, written as running text."""

from __future__ import annotations


def listed(text: str) -> frozenset[str]:
    """The words of a list.

    >>> sorted(listed("red green"))
    ['green', 'red']
    """
    return frozenset(text.split())
