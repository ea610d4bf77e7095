"""Secrets in the columns of tables: of Markdown, and of values between commas, semicolons or tabs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from continuity_client.secrets.checks import compiled, is_confirmed
from continuity_client.secrets.rules import Column, all_columns

_SEPARATORS = "|\t;,"
_LONGEST_LINE, _SHORTEST = 1_000, 4
_AROUND = " \t\r\"'`*"


class _Cell(NamedTuple):
    start: int
    end: int


def values_below(text: str, places: Sequence[int]) -> Iterator[tuple[int, int, str]]:
    """Start, end and kind of what is below a header that names a secret; `places` are where such words are.

    >>> list(values_below("name,password\\nann,tulips", [5]))
    [(18, 24, 'password')]
    """
    after = 0
    for place in places:
        if place < after:
            continue
        start, after = _line_at(text, place)
        end = after
        for separator in _SEPARATORS if end - start <= _LONGEST_LINE else "":
            header = _cells(text, start, end, separator)
            column = next((one for one in all_columns() for cell in header if _names(one, text, cell)), None)
            if column and len(header) > 1:
                number = next(number for number, cell in enumerate(header) if _names(column, text, cell))
                for cell in _column(text, end, separator, number, len(header)):
                    after = cell.end
                    if _is_secret(text[cell.start : cell.end], column):
                        yield cell.start, cell.end, column.kind
                break


def _names(column: Column, text: str, cell: _Cell) -> bool:
    return bool(compiled(column.header, re.IGNORECASE).fullmatch(text[cell.start : cell.end]))


def _is_secret(value: str, column: Column) -> bool:
    return len(value) >= _SHORTEST and " " not in value and all(is_confirmed(value, name) for name in column.checks)


def _column(text: str, end: int, separator: str, number: int, width: int) -> Iterator[_Cell]:
    """The cells of a column in the lines after a header, down to the first one with another number of cells."""
    while end < len(text):
        start, end = end + 1, _line_end(text, end + 1)
        cells = _cells(text, start, end, separator) if end - start <= _LONGEST_LINE else []
        if len(cells) != width:
            return
        if set(text[start:end]) - set("|:- \t\r"):
            yield cells[number]


def _cells(text: str, start: int, end: int, separator: str) -> list[_Cell]:
    cells = []
    for part in text[start:end].split(separator):
        inner = part.strip(_AROUND)
        begin = start + len(part) - len(part.lstrip(_AROUND))
        cells.append(_Cell(begin, begin + len(inner)))
        start += len(part) + 1
    return cells


def _line_at(text: str, place: int) -> tuple[int, int]:
    return text.rfind("\n", 0, place) + 1, _line_end(text, place)


def _line_end(text: str, place: int) -> int:
    end = text.find("\n", place)
    return end if end >= 0 else len(text)
