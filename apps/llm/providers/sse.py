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
    r"""Puts events together, each its name (empty where it has none) and its data; what comes may be cut anywhere.

    >>> events = EventBytes()
    >>> pieces = (b"data: o", b"ne\r", b"\n\r\n: wait\n\nevent: a\ndata:two\n", b"data: lines\n\n")
    >>> [list(events.feed(piece)) for piece in pieces]
    [[], [], [(b'', b'one')], [(b'a', b'two\nlines')]]
    """

    def __init__(self) -> None:
        self._rest = b""
        self._name = b""
        self._data: list[bytes] = []
        self._size = 0

    def feed(self, piece: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Each event that is complete."""
        held, self._rest = self._rest + piece, b""
        if held.endswith(b"\r"):
            # The other half of a line's end may follow.
            held, self._rest = held[:-1], b"\r"
        *lines, rest = _LINE_END.split(held)
        self._rest = rest + self._rest
        for line in lines:
            if line:
                self._take(line)
            elif self._data or self._name:
                yield from self._ended()
        if len(self._rest) + self._size > _LARGEST_EVENT:
            raise ModelError("malformed", "The provider's stream has no end of an event.")

    def _take(self, line: bytes) -> None:
        if line.startswith(b"data:"):
            self._data.append(line[5:].removeprefix(b" "))
            self._size += len(line)
        elif line.startswith(b"event:"):
            self._name = line[6:].removeprefix(b" ")

    def _ended(self) -> Iterator[tuple[bytes, bytes]]:
        """Without data it is no event."""
        if self._data:
            yield self._name, b"\n".join(self._data)
        self._name, self._data, self._size = b"", [], 0
