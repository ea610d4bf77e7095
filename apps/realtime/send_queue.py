"""What waits to be sent on one socket. A reader that is too slow loses its socket, and delays nobody else."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

MOST_FRAMES = 500
MOST_CHARACTERS = 2_000_000

Send = Callable[[str], Awaitable[None]]


class Outbox:
    """`put` never waits; `overflowed` is set when the reader has too much to catch up with."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._frames: deque[str] = deque()
        self._waiting = 0
        self._filled = asyncio.Event()
        self.overflowed = False
        self._task = asyncio.create_task(self._drain())

    def put(self, text: str) -> bool:
        """False where the frame was dropped with all that waited."""
        if self.overflowed:
            return False
        self._waiting += len(text)
        self._frames.append(text)
        if len(self._frames) > MOST_FRAMES or self._waiting > MOST_CHARACTERS:
            self._overflow()
            return False
        self._filled.set()
        return True

    async def close(self) -> None:
        """Stop sending; what waits is dropped."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _drain(self) -> None:
        while True:
            await self._filled.wait()
            while self._frames:
                text = self._frames.popleft()
                self._waiting -= len(text)
                await self._send(text)
            self._filled.clear()

    def _overflow(self) -> None:
        self.overflowed = True
        self._frames.clear()
        self._waiting = 0
