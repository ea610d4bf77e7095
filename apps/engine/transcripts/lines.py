"""Lines of a transcript file as JSON objects, with one report for each damaged line.

A damaged line loses only itself: objects in it that are whole are still returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from apps.engine.json_input.pieces import Piece, pieces_of

LONGEST_LINE = 8 * 1024 * 1024
CHAIN_TYPES = frozenset({"user", "assistant", "system", "attachment", "progress"})
"""Types of entries that have a `uuid` and a parent."""
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class LineProblem:
    """Damage in a line: `code` is for programs, `detail` for people; `recovered` entries of it were read."""

    line: int
    code: str
    detail: str
    recovered: int = 0


@dataclass(frozen=True, slots=True)
class LineObjects:
    """The objects of one line, and the problem with it, if any."""

    line: int
    objects: tuple[dict[str, Any], ...]
    problem: LineProblem | None = None


def lines_of(content: bytes | Iterable[bytes], first_line: int = 1) -> Iterator[LineObjects]:
    """Yield every line that is not empty; `first_line` is the number of the first one.

    >>> [(one.line, len(one.objects), one.problem and one.problem.code) for one in lines_of(b'{"a": 1}\\n\\n{"b": ')]
    [(1, 1, None), (3, 0, 'truncated')]
    """
    lines = content.split(b"\n") if isinstance(content, bytes) else [line.removesuffix(b"\n") for line in content]
    for number, line in enumerate(lines, start=first_line):
        is_last = number == first_line + len(lines) - 1
        if line.strip():
            yield _line(number, line.removeprefix(_BOM) if number == first_line else line, is_last=is_last)


def _line(number: int, line: bytes, *, is_last: bool) -> LineObjects:
    if len(line) > LONGEST_LINE:
        detail = f"{len(line)} bytes; a line can have at most {LONGEST_LINE}"
        return LineObjects(number, (), LineProblem(number, "line_too_long", detail))
    text, fault = _decoded(line)
    pieces = list(pieces_of(text, _is_entry))
    objects = tuple(piece.value for piece in pieces if piece.value is not None)
    faults = [piece for piece in pieces if piece.value is None]
    fault = faults[0] if faults else fault
    if fault is None and len(objects) > 1:
        fault = Piece("", None, "spliced", f"{len(objects)} objects on one line")
    if fault is None:
        return LineObjects(number, objects)
    is_cut = is_last and fault.code == "invalid_json" and not objects
    code, detail = ("truncated", "the file ends in the middle of it") if is_cut else (fault.code, fault.detail)
    return LineObjects(number, objects, LineProblem(number, code, detail, len(objects)))


def _decoded(line: bytes) -> tuple[str, Piece | None]:
    """The text; bytes that are not UTF-8 become replacement characters."""
    try:
        return line.decode(), None
    except UnicodeDecodeError as error:
        return line.decode(errors="replace"), Piece("", None, "not_utf8", f"byte {error.start} is not UTF-8")


def _is_entry(value: dict[str, Any]) -> bool:
    """Whether it is an entry of a transcript, and not a part of a broken one."""
    kind = value.get("type")
    if kind in CHAIN_TYPES:
        return isinstance(value.get("uuid"), str)
    return isinstance(kind, str) and ("sessionId" in value or "leafUuid" in value)
