"""Lines of a file of any size, one at a time and each of bounded size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from apps.conversations.imports.parsed_items import Place

LONGEST_LINE = 8 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Line:
    """A line: `size` counts all its bytes, `content` is empty if it is too long, `ended` is by a line break."""

    number: int
    content: bytes
    size: int
    ended: bool
    after: Place

    @property
    def is_too_long(self) -> bool:
        return self.size > LONGEST_LINE


def lines_of(file: BinaryIO, begin: Place) -> Iterator[Line]:
    """Yield the lines from a position on: `major` is its byte, `minor` the number of lines before it."""
    file.seek(begin.major)
    number, offset = begin.minor, begin.major
    while content := file.readline(LONGEST_LINE + 1):
        size, ended = len(content), content.endswith(b"\n")
        if size > LONGEST_LINE:
            rest, ended = (0, True) if ended else _pass_over(file)
            size, content = size + rest, b""
        number, offset = number + 1, offset + size
        yield Line(number, content.removeprefix(_BOM) if number == 1 else content, size, ended, Place(offset, number))


def _pass_over(file: BinaryIO) -> tuple[int, bool]:
    """Skip the rest of the line; return its bytes, and whether a line break ended it."""
    size = 0
    while part := file.readline(LONGEST_LINE):
        size += len(part)
        if part.endswith(b"\n"):
            return size, True
    return size, False
