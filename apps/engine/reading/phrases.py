"""Patterns for phrases of many languages, with and without spaces between words."""

from __future__ import annotations

import re
from collections.abc import Iterable


def phrase_pattern(beginnings: Iterable[str], spaceless: Iterable[str], *, end: str = "") -> re.Pattern[str]:
    """Return a pattern that finds one of the phrases in a casefolded text, where a word begins.

    Those that are `spaceless` are of scripts without spaces, and found anywhere. `end` is what must follow the others.
    It reads in linear time: the phrases are alternatives without repetition.

    >>> pattern = phrase_pattern(["sil "], ["忘れ"])
    >>> bool(pattern.search("basil and tea")), bool(pattern.search("それは忘れて"))
    (False, True)
    """
    words = "|".join(re.escape(one.casefold()) for one in beginnings)
    return re.compile("|".join([rf"(?<!\w)(?:{words}){end}", *map(re.escape, spaceless)]))
