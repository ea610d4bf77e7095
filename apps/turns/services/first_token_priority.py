"""Priority of requests that wait for their first token over background writes of other replies.

Both compete for the GIL, and a thread that queries the database has to acquire it again after every result.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# A turn that begins computes its pack and holds a connection; with more at once none begins earlier, and replies that
# are being written wait for a connection until their turn is lost.
MOST_AT_ONCE = 4
# Twice the time that a turn needs to begin on a busy machine.
GIVES_WAY_S = 0.1
# Each check takes the GIL from the turns that begin.
_LOOKS_EVERY_S = 0.025


class _Beginnings:
    """The number of this process's turns that have not called their model yet."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.count = 0

    def add(self, more: int) -> None:
        with self._lock:
            self.count += more


_beginnings = _Beginnings()
_places = threading.BoundedSemaphore(MOST_AT_ONCE)


@contextmanager
def beginning() -> Iterator[None]:
    """Wait for a place, and count a turn as beginning until it calls its model. Call it before a unit of work."""
    with _places:
        _beginnings.add(1)
        try:
            yield
        finally:
            _beginnings.add(-1)


async def yield_to_beginning_turns() -> None:
    """Wait briefly while turns begin. Call it before occupying a thread of the pool."""
    loop = asyncio.get_running_loop()
    until = loop.time() + GIVES_WAY_S
    while _beginnings.count and loop.time() < until:
        await asyncio.sleep(_LOOKS_EVERY_S)
