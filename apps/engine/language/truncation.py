"""Readable truncation: at the end of a word, and never inside a code fence."""

from __future__ import annotations

from apps.engine.tokens.counting import CHARACTERS_PER_TOKEN
from apps.engine.tokens.estimate import TOKEN_SIZE, characters_within, text_size

FENCE = "```"
_MARK = " […]"
# Going back to a word's end may cost so much of the text.
_KEPT_AT_LEAST = 0.5


def truncated(text: str, limit: int) -> str:
    """The beginning of the text in at most `limit` stored tokens; empty where nothing whole fits.

    >>> truncated("one two three four", 4)
    'one two […]'
    >>> truncated("Look: ```\\nx = 1\\ny = 2\\nz = 3\\n``` done", 6)
    'Look: […]'
    """
    return _beginning(text, limit * CHARACTERS_PER_TOKEN)


def truncated_to_budget(text: str, tokens: int) -> str:
    """The same in at most `tokens` tokens of a budget, which other scripts than the Latin one fill sooner.

    >>> truncated_to_budget("one two three four", 4), truncated_to_budget("数据库迁移的脚本 放到仓库里", 8)
    ('one two […]', '数据库迁移的 […]')
    """
    size = max(0, tokens) * TOKEN_SIZE
    room = characters_within(text, size)
    while text_size(shown := _beginning(text, room)) > size:
        # The beginning is denser than the whole.
        room = min(room - 1, characters_within(shown, size))
    return shown


def _beginning(text: str, room: int) -> str:
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
