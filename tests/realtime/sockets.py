"""A socket client without a server in between."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from threading import Barrier
from typing import Any
from uuid import UUID

from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from django.conf import settings

from apps.accounts.actors import Actor
from apps.accounts.services.tickets import ticket_issue
from apps.realtime.application import live_application
from apps.realtime.db_threads import _THREADS, _readers
from tests.people import client_of

Frame = dict[str, Any]
HOST = "testserver"
SECONDS = 5.0


class Socket:
    """One connection. `receive` returns the next frame, `closed` the close code."""

    def __init__(self, headers: dict[str, str] | None = None, query: str = "", path: str = "/ws") -> None:
        sent = {"host": HOST, **(headers or {})}
        scope = {
            "type": "websocket",
            "path": path,
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
        }
        self._peer = ApplicationCommunicator(live_application, scope)
        self.reason = ""

    async def open(self) -> str:
        """Connect; return `accept` or `close`."""
        await self._peer.send_input({"type": "websocket.connect"})
        answer = await self._peer.receive_output(SECONDS)
        return str(answer["type"]).removeprefix("websocket.")

    async def say(self, **frame: Any) -> None:
        await self.say_raw(json.dumps(frame, default=str))

    async def say_raw(self, text: str) -> None:
        await self._peer.send_input({"type": "websocket.receive", "text": text})

    async def receive(self, kind: str = "", seconds: float = SECONDS) -> Frame:
        """Return the next frame, optionally of a type or event name."""
        async with asyncio.timeout(seconds):
            while True:
                output = await self._peer.receive_output(seconds)
                assert output["type"] == "websocket.send", output
                frame: Frame = json.loads(output["text"])
                if kind in ("", frame["type"], frame.get("name")):
                    return frame

    async def closed(self) -> int:
        """Return the code of the next close, skipping frames."""
        while True:
            output = await self._peer.receive_output(SECONDS)
            if output["type"] == "websocket.close":
                self.reason = output.get("reason", "")
                return int(output["code"])

    async def silent(self, kind: str, seconds: float = 0.6) -> bool:
        """Return whether no frame of the type or name arrives for a while."""
        try:
            await self.receive(kind, seconds)
        except TimeoutError:
            return True
        return False

    async def leave(self) -> None:
        await self._peer.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.ended()

    async def ended(self) -> None:
        """Wait until the application has finished; raise its uncaught errors."""
        await self._peer.wait(SECONDS)


async def with_ticket(actor: Actor) -> Socket:
    """Return an authenticated socket of the actor."""
    ticket = await in_sync(ticket_issue, actor)
    socket = Socket()
    assert await socket.open() == "accept"
    await socket.say(type="authenticate", ticket=ticket.ticket)
    assert (await socket.receive())["type"] == "welcome"
    return socket


async def watching(actor: Actor, talk: UUID) -> tuple[Socket, Frame]:
    """Return a socket that is subscribed to the conversation, and its snapshot."""
    socket = await with_ticket(actor)
    await socket.say(type="subscribe", conversation_id=talk)
    return socket, await socket.receive("snapshot")


def cookie_of(actor: Actor) -> str:
    """Return the session cookie of the actor's browser."""
    session = client_of(actor).cookies[settings.SESSION_COOKIE_NAME].value
    return f"{settings.SESSION_COOKIE_NAME}={session}"


async def in_sync(act: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call in a thread, which keeps no connection for later tests: one of them may end all connections."""
    return await database_sync_to_async(act)(*args, **kwargs)


def run(story: Callable[[], Awaitable[None]]) -> None:
    """Run a scenario on a new event loop, and wait for its database reads."""

    async def bounded() -> None:
        async with asyncio.timeout(40):
            await story()

    try:
        asyncio.run(bounded())
    finally:
        _let_readers_finish()


def _let_readers_finish() -> None:
    """Wait for database reads, which would conflict with clearing the tables after the test."""
    free = Barrier(_THREADS)
    for waiting in [_readers.submit(free.wait) for _ in range(_THREADS)]:
        waiting.result(SECONDS)
