"""A reader that stops reading after the welcome and the snapshot, so that the server's sends block."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.services.tickets import ticket_issue
from apps.realtime.consumer import LiveConsumer
from tests.realtime.sockets import HOST, in_sync

_FRAMES_READ = 2


class SlowReader:
    def __init__(self, actor: Actor) -> None:
        self._consumer = LiveConsumer()
        self._said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._heard = 0
        self._begun = asyncio.Event()
        self._code: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    @classmethod
    async def watching(cls, actor: Actor, talk: UUID) -> SlowReader:
        reader = cls(actor)
        ticket = (await in_sync(ticket_issue, actor)).ticket
        scope = {"type": "websocket", "path": "/ws", "query_string": b"", "headers": [(b"host", HOST.encode())]}
        reader._task = asyncio.create_task(reader._consumer(scope, reader._said.get, reader._send))
        reader._said.put_nowait({"type": "websocket.connect"})
        for frame in ({"type": "authenticate", "ticket": ticket}, {"type": "subscribe", "conversation_id": str(talk)}):
            reader._said.put_nowait({"type": "websocket.receive", "text": json.dumps(frame)})
        await reader._begun.wait()
        return reader

    async def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.close":
            self._code.set_result(message["code"])
        elif message["type"] == "websocket.send":
            self._heard += 1
            if self._heard == _FRAMES_READ:
                self._begun.set()
            if self._heard > _FRAMES_READ:
                await asyncio.Event().wait()

    async def closed_with(self) -> int:
        return await asyncio.wait_for(self._code, 5)

    def held(self) -> int:
        """The number of frames in its send queue."""
        assert self._consumer._send_queue is not None
        return len(self._consumer._send_queue._frames)

    async def leave(self) -> None:
        self._said.put_nowait({"type": "websocket.disconnect", "code": 1006})
        await self._task
