"""The events of a stream, from its bytes. Comments are no events, but they are signs of life: whoever reads gets them
as bytes like all others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from apps.llm.errors import ModelError

_LINE_END = re.compile(rb"\r\n|\n|\r")
_LARGEST_EVENT = 8 * 1024 * 1024


class EventBytes:
    r"""Puts the data of events together; what comes may be cut anywhere.

    >>> events = EventBytes()
    >>> [list(events.feed(piece)) for piece in (b"data: o", b"ne\r", b"\n\r\n: wait\n\ndata:two\n", b"data: lines\n\n")]
    [[], [], [b'one'], [b'two\nlines']]
    """

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[bytes] = []
        self._size = 0

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """The data of each event that is complete."""
        held, self._rest = self._rest + piece, b""
        if held.endswith(b"\r"):
            # The other half of a line's end may follow.
            held, self._rest = held[:-1], b"\r"
        *lines, rest = _LINE_END.split(held)
        self._rest = rest + self._rest
        for line in lines:
            yield from self._take(line)
        if len(self._rest) + self._size > _LARGEST_EVENT:
            raise ModelError("malformed", "The provider's stream has no end of an event.")

    def _take(self, line: bytes) -> Iterator[bytes]:
        if line.startswith(b"data:"):
            self._data.append(line[5:].removeprefix(b" "))
            self._size += len(line)
        elif not line and self._data:
            yield b"\n".join(self._data)
            self._data, self._size = [], 0
