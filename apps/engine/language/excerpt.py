"""Excerpts of long messages: head, tail, and code and identifiers in between."""

from __future__ import annotations

import re

from apps.engine.tokens.counting import CHARACTERS_PER_TOKEN

# Every alternative begins at a word boundary or a punctuation mark, so that matching is linear in a line's length.
_TELLING = re.compile(r"```|\w\.\w+\(|\w/\w|https?://|\b[A-Z]{2,}-\d|_\w|\b[a-z]+[A-Z]|\b\d|Error|Exception")
_HEAD_SHARE, _TAIL_SHARE = 0.5, 0.25


def excerpt(content: str, message_id: str, limit: int) -> str:
    """At most `limit` tokens of the content, with a marker that names the message and the number of omitted tokens.

    >>> excerpt("short", "m1", 100)
    'short'
    >>> shown = excerpt("word " * 1000, "m1", 60)
    >>> len(shown) <= 240, "left out of message m1" in shown
    (True, True)
    """
    room = limit * CHARACTERS_PER_TOKEN
    if len(content) <= room:
        return content
    mark = f"\n[… {len(content)} characters in all, the rest left out of message {message_id} …]\n"
    room -= len(mark)
    if room <= 0:
        return mark.strip()[: limit * CHARACTERS_PER_TOKEN]
    head = _cut_at_line(content[: int(room * _HEAD_SHARE)])
    tail = content[len(content) - int(room * _TAIL_SHARE) :]
    middle = _telling_lines(content[len(head) : len(content) - len(tail)], room - len(head) - len(tail) - 1)
    return f"{head}{mark}{middle}{tail}"


def _cut_at_line(text: str) -> str:
    """End at a line where that costs little."""
    end = text.rfind("\n")
    return text[: end + 1] if end > len(text) * 0.8 else text


def _telling_lines(text: str, room: int) -> str:
    """Lines with code, names, numbers or errors, in their order, as many as fit."""
    chosen: list[str] = []
    for line in text.splitlines():
        if len(line) < room and _TELLING.search(line):
            chosen.append(line)
            room -= len(line) + 1
    return "".join(f"{line}\n" for line in chosen)
