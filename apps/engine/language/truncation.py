"""Readable truncation: at the end of a word, and never inside a code fence."""

from __future__ import annotations

from apps.engine.tokens.counting import CHARACTERS_PER_TOKEN

FENCE = "```"
_MARK = " […]"
# Going back to a word's end may cost so much of the text.
_KEPT_AT_LEAST = 0.5


def truncated(text: str, limit: int) -> str:
    """The beginning of the text in at most `limit` tokens; empty where nothing whole fits.

    >>> truncated("one two three four", 4)
    'one two […]'
    >>> truncated("Look: ```\\nx = 1\\ny = 2\\nz = 3\\n``` done", 6)
    'Look: […]'
    """
    room = limit * CHARACTERS_PER_TOKEN
    if len(text) <= room:
        return text
    cut = _outside_fences(_at_word(text[: max(0, room - len(_MARK))].rstrip("`")))
    return f"{cut}{_MARK}" if cut else ""


def _outside_fences(text: str) -> str:
    """Without a fence that is open at the end."""
    return text[: text.rindex(FENCE)].rstrip() if text.count(FENCE) % 2 else text


def _at_word(text: str) -> str:
    end = max(text.rfind(" "), text.rfind("\n"))
    return (text[:end] if end > len(text) * _KEPT_AT_LEAST else text).rstrip()
