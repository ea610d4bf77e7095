"""Bounded send queue of one socket: a slow client is disconnected and delays no other socket."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

MOST_FRAMES = 500
MOST_CHARACTERS = 2_000_000

Send = Callable[[str], Awaitable[None]]


class SendQueue:
    """Queue and send frames. `put` never blocks; `overflowed` is set once the client is too far behind."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._frames: deque[str] = deque()
        self._waiting = 0
        self._filled = asyncio.Event()
        self.overflowed = False
        self._task = asyncio.create_task(self._drain())

    def put(self, text: str) -> bool:
        """Queue a frame; return False if the queue overflowed and was dropped."""
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
        """Stop sending and drop queued frames."""
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
