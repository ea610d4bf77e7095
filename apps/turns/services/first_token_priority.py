"""Whoever waits for a first word goes first: for a moment, what is stored of other replies gives way.

Both need the interpreter, which one thread has at a time, and who asks the database waits for it after each answer.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# Twice what a turn takes to begin on a busy machine.
GIVES_WAY_S = 0.1
# Each look takes the interpreter from who begins.
_LOOKS_EVERY_S = 0.025


class _Beginnings:
    """How many turns are on their way to their model, in this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.count = 0

    def add(self, more: int) -> None:
        with self._lock:
            self.count += more


_beginnings = _Beginnings()


@contextmanager
def beginning() -> Iterator[None]:
    """A turn is on its way to its model."""
    _beginnings.add(1)
    try:
        yield
    finally:
        _beginnings.add(-1)


async def give_way() -> None:
    """Wait while others begin, but never long; before a thread is taken, so that nobody waits for that."""
    loop = asyncio.get_running_loop()
    until = loop.time() + GIVES_WAY_S
    while _beginnings.count and loop.time() < until:
        await asyncio.sleep(_LOOKS_EVERY_S)
