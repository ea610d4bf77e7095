"""Comparison of a text with another one, sentence by sentence, by digests that say nothing of the other's words."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator

from apps.engine.language.similarity import normalized

MOST_DIGESTS = 2_000
SHORTEST = 12
"""Characters of a sentence that is compared; a shorter one may be anywhere."""
_LENGTH = 16
_MARKER = re.compile(r"^(?:[-*+>#]+|\d+[.)])\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+")


def sentence_digests(text: str) -> list[str]:
    """The digests of the lines of a text and of the sentences in them.

    >>> sentence_digests("# Rules")
    []
    >>> len(sentence_digests("- Use pnpm, never npm. Run the tests first."))
    3
    """
    lines = [_plain(line) for line in text.splitlines()]
    whole = [one for line in lines for one in dict.fromkeys((line, *_sentences(line)))]
    return list(dict.fromkeys(_digest(one) for one in whole if len(one) >= SHORTEST))[:MOST_DIGESTS]


def is_contained(text: str, digests: Collection[str]) -> bool:
    """Whether every sentence of the text is one of the other text; false for a text without a long one.

    >>> digests = sentence_digests("- Use **pnpm**, never npm. Run the tests first.")
    >>> is_contained("Run the tests first.", digests), is_contained("Run the tests first. Use yarn today.", digests)
    (True, False)
    """
    own = [one for line in text.splitlines() for one in _sentences(_plain(line))]
    long = [one for one in own if len(one) >= SHORTEST]
    return bool(long) and all(_digest(one) in digests for one in long)


def _plain(line: str) -> str:
    """The line without marks of Markdown."""
    return normalized(_MARKER.sub("", line.strip()).replace("**", "").replace("`", "")).casefold()


def _sentences(line: str) -> Iterator[str]:
    yield from _SENTENCE_END.split(line)


def _digest(sentence: str) -> str:
    text = sentence.rstrip(".!?。！？:; ")
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:_LENGTH]
