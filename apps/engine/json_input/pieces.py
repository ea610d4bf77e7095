"""The objects in one line of JSON Lines, even if the file is damaged.

Files that several programs appended to, or that a crash truncated, contain lines with a break inside an object, two
objects without a line break between them, or runs of NUL bytes. Parsing resumes at the next `{"`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from apps.engine.json_input.limits import DEEPEST, is_too_deep

# The parsing work for a damaged line is limited to this many characters per character of the line. A false start costs
# the characters read, and the error, which counts the line breaks before it.
_ROOM = 10
_LEAST_COST = 200
_COUNTED_FOR_ONE = 50
_BLANK = re.compile(r"[\s\x00]*")
_START = re.compile(r'\{\s*"')
_FOLLOWS = re.compile(r"[\s\x00]*(?:\{|\Z)")
# Python refuses to parse integers of thousands of digits, and no field of a message needs one.
_MOST_DIGITS = 20


def _integer(digits: str) -> int:
    return int(digits) if len(digits) <= _MOST_DIGITS else 10**_MOST_DIGITS


_decoder = json.JSONDecoder(parse_int=_integer)
IsWhole = Callable[[dict[str, Any]], bool]
"""Whether an object in a damaged line is one of the expected kind, and not a part of a broken one."""


@dataclass(frozen=True, slots=True)
class Piece:
    """An object with its text, or an error (code and detail)."""

    text: str
    value: dict[str, Any] | None
    code: str = ""
    detail: str = ""


def pieces_of(text: str, is_whole: IsWhole) -> Iterator[Piece]:
    """Yield the objects of a line in order; usually one.

    >>> def has_role(value): return "role" in value
    >>> [piece.value or piece.code for piece in pieces_of('{"a": 1}', has_role)]
    [{'a': 1}]
    >>> [piece.value or piece.code for piece in pieces_of('{"role": "u{"role": "user", "content": "b"}', has_role)]
    ['invalid_json', {'role': 'user', 'content': 'b'}]
    """
    value, fault = _decoded(text)
    if fault is None and isinstance(value, dict):
        yield Piece(text.strip(), value)
    elif fault is None:
        yield Piece(text, None, "not_an_object", "the line must be a JSON object")
    else:
        yield from _salvaged(text, is_whole)


def _decoded(text: str) -> tuple[Any, Piece | None]:
    try:
        value = _decoder.decode(text)
    except RecursionError:
        return None, _too_deep(text)
    except ValueError as error:
        return None, Piece(text, None, "invalid_json", str(error))
    return (None, _too_deep(text)) if is_too_deep(value) else (value, None)


def _too_deep(text: str) -> Piece:
    return Piece(text, None, "too_deep", f"nested more than {DEEPEST} levels deep")


def _salvaged(text: str, is_whole: IsWhole) -> Iterator[Piece]:
    place = 0
    while (start := _behind_blanks(text, place)) < len(text) or "\x00" in text[place:start]:
        if nuls := text.count("\x00", place, start):
            yield Piece("", None, "nul_run", f"{nuls} NUL bytes")
        place = start
        value, end = _object_at(text, place)
        if value is not None:
            yield Piece(text[place:end], value)
            place = end
        elif place < len(text):
            place = _next_object(text, place + 1, is_whole)
            yield _fault(text[start:place])


def _behind_blanks(text: str, place: int) -> int:
    blanks = _BLANK.match(text, place)
    return blanks.end() if blanks else place


def _object_at(text: str, start: int) -> tuple[dict[str, Any] | None, int]:
    """Return the complete object that begins here, if any, and the position up to which the text was read."""
    try:
        value, end = _decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        return None, error.pos
    except (ValueError, RecursionError):
        return None, len(text)
    return (value if isinstance(value, dict) else None), end


def _next_object(text: str, begin: int, is_whole: IsWhole) -> int:
    """Return the start of the next object that is whole and not a part of a broken one."""
    room = _ROOM * len(text)
    for start in _START.finditer(text, begin):
        value, end = _object_at(text, start.start())
        if value is not None and is_whole(value) and _FOLLOWS.match(text, end):
            return start.start()
        room -= max(end - start.start(), _LEAST_COST) + end // _COUNTED_FOR_ONE
        if room < 0:
            break
    return len(text)


def _fault(lost: str) -> Piece:
    if "\x00" in lost:
        return Piece(lost, None, "nul_run", f"{lost.count(chr(0))} NUL bytes in the middle of an object")
    _, fault = _decoded(lost)
    return fault or Piece(lost, None, "not_an_object", "the line must be a JSON object")
