"""Excerpts of long messages: head, tail, and code and identifiers in between."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from apps.engine.tokens.estimate import TOKEN_SIZE, characters_within, text_size

# Every alternative begins at a word boundary or a punctuation mark, so that matching is linear in a line's length.
_TELLING = re.compile(r"```|\w\.\w+\(|\w/\w|https?://|\b[A-Z]{2,}-\d|_\w|\b[a-z]+[A-Z]|\b\d|Error|Exception")
_HEAD_SHARE, _TAIL_SHARE = 0.5, 0.25


def excerpt(content: str, message_id: str, limit: int) -> str:
    """At most `limit` tokens of the content, with a mark that names the message.

    >>> excerpt("short", "m1", 100)
    'short'
    >>> shown = excerpt("word " * 1000, "m1", 60)
    >>> len(shown) <= 240, "left out of message m1" in shown
    (True, True)
    """
    size = max(0, limit) * TOKEN_SIZE
    if text_size(content) <= size:
        return content
    mark = omission_note(content, message_id)
    room = characters_within(content, size - text_size(f"\n{mark}\n"))
    while room > 0:
        shown = _around(content, mark, room)
        if text_size(shown) <= size:
            return shown
        # The parts that are shown are denser than the whole.
        room = min(room - 1, characters_within(shown, size) * room // len(shown))
    return mark[: characters_within(mark, size)]


def omission_note(content: str, message_id: str) -> str:
    return f"[… {len(content)} characters in all, the rest left out of message {message_id} …]"


def shortened(content: str, mark: str, most: int, *, first: re.Pattern[str] | None = None) -> str:
    """At most so many characters of the content: head, mark, lines with code and identifiers, and tail.

    Lines that match `first` come before others where not all fit; they remain in their order.
    """
    if len(content) <= most:
        return content
    room = most - len(mark) - 2
    return _around(content, mark, room, first) if room > 0 else mark[:most]


def _around(content: str, mark: str, room: int, first: re.Pattern[str] | None = None) -> str:
    """The mark with so many characters of the content around it."""
    head = _cut_at_line(content[: int(room * _HEAD_SHARE)])
    tail = content[len(content) - int(room * _TAIL_SHARE) :]
    between = content[len(head) : len(content) - len(tail)].splitlines()
    middle = _telling_lines(between, room - len(head) - len(tail) - 1, (first, _TELLING) if first else (_TELLING,))
    return f"{head}\n{mark}\n{middle}{tail}"


def _cut_at_line(text: str) -> str:
    """End at a line where that costs little."""
    end = text.rfind("\n")
    return text[: end + 1] if end > len(text) * 0.8 else text


def _telling_lines(lines: Sequence[str], room: int, patterns: Iterable[re.Pattern[str]]) -> str:
    """Lines with code, names, numbers or errors, in their order, as many as fit."""
    chosen: set[int] = set()
    for pattern in patterns:
        for place, line in enumerate(lines):
            if place not in chosen and len(line) < room and pattern.search(line):
                chosen.add(place)
                room -= len(line) + 1
    return "".join(f"{lines[place]}\n" for place in sorted(chosen))
