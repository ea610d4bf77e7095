"""Quotations in a text, found in one pass: each mark is looked for once, however many of them are open."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_CLOSING = {'"': '"', "“": "”", "„": "“”", "«": "»", "「": "」", "『": "』"}
_OPENING = re.compile(f"[{''.join(_CLOSING)}]")
_SHORTEST, _LONGEST = 2, 400
# Of the lines after the first one.
_LONGEST_REST = 2_000


def quotations(text: str) -> Iterator[tuple[int, int]]:
    """The places of quotations within a line, with their marks.

    >>> text = 'He said "no way" and “it’s „fine”.'
    >>> [text[start:end] for start, end in quotations(text)]
    ['"no way"', '“it’s „fine”']
    """
    return _found(text, _in_line)


def long_quotations(text: str) -> Iterator[tuple[int, int]]:
    """The places of quotations over several lines; a straight mark must be next to a word's outside, for it also means
    inches.

    >>> text = 'He said “no\\nway” about 5" and\\n6".'
    >>> [text[start:end] for start, end in long_quotations(text)]
    ['“no\\nway”']
    """
    return _found(text, _over_lines)


class _Places:
    """The next place of a mark at or after another place. Places are asked for in ascending order, so that the whole
    text is read once for each mark."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._next: dict[str, int] = {}

    def next(self, marks: str, place: int) -> int:
        """The first place of one of the marks; the text's length if there is none."""
        return min(self._next_of(mark, place) for mark in marks)

    def _next_of(self, mark: str, place: int) -> int:
        if self._next.get(mark, -1) < place:
            found = self.text.find(mark, place)
            self._next[mark] = found if found >= 0 else len(self.text)
        return self._next[mark]


def _found(text: str, end_of: Callable[[_Places, int], int]) -> Iterator[tuple[int, int]]:
    places, place = _Places(text), 0
    while opening := _OPENING.search(text, place):
        end = end_of(places, opening.start())
        if end:
            yield opening.start(), end
        place = end or opening.end()


def _in_line(places: _Places, opening: int) -> int:
    """Where the quotation ends that a mark begins; 0 if none does."""
    begin = opening + 1
    closing = places.next(_CLOSING[places.text[opening]], begin)
    is_closed = closing < min(len(places.text), places.next("\n", begin))
    return closing + 1 if is_closed and _SHORTEST <= closing - begin <= _LONGEST else 0


def _over_lines(places: _Places, opening: int) -> int:
    text, begin = places.text, opening + 1
    closing, line_end = places.next(_CLOSING[text[opening]], begin), places.next("\n", begin)
    if not line_end < closing < len(text) or closing - line_end - 1 > _LONGEST_REST:
        return 0
    if text[opening] == '"' and (_is_word(text, opening - 1) or text[begin].isspace() or _is_word(text, closing + 1)):
        return 0
    return closing + 1


def _is_word(text: str, place: int) -> bool:
    return 0 <= place < len(text) and (text[place].isalnum() or text[place] == "_")
