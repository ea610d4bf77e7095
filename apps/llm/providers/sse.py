"""Incremental parser for server-sent events. Comments yield no events, but their bytes still count as activity."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apps.llm.errors import ModelError

_LINE_END = re.compile(rb"\r\n|\n|\r")
_LARGEST_EVENT = 8 * 1024 * 1024


class EventBytes:
    r"""Parses chunks of bytes, cut anywhere, into events of a name (may be empty) and data.

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
        """Yield each event that the chunk completes."""
        buffer, self._rest = self._rest + piece, b""
        if buffer.endswith(b"\r"):
            # The LF of a CRLF may follow in the next chunk.
            buffer, self._rest = buffer[:-1], b"\r"
        *lines, rest = _LINE_END.split(buffer)
        self._rest = rest + self._rest
        for line in lines:
            if line:
                self._take(line)
            elif self._data or self._name:
                yield from self._ended()
        if len(self._rest) + self._size > _LARGEST_EVENT:
            raise ModelError("malformed", "The provider's stream contains an unterminated event.")

    def _take(self, line: bytes) -> None:
        if line.startswith(b"data:"):
            self._data.append(line[5:].removeprefix(b" "))
            self._size += len(line)
        elif line.startswith(b"event:"):
            self._name = line[6:].removeprefix(b" ")

    def _ended(self) -> Iterator[tuple[bytes, bytes]]:
        """Emit the event, unless it has no data."""
        if self._data:
            yield self._name, b"\n".join(self._data)
        self._name, self._data, self._size = b"", [], 0
