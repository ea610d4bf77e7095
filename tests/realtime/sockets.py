"""A client of the socket without a server between: what it sends and what it hears."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from threading import Barrier
from typing import Any
from uuid import UUID

from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
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
    """One connection. `hear` gives the next frame; `closed` the code, when it was closed."""

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
        """Whether the server took it: `accept` or `close`."""
        await self._peer.send_input({"type": "websocket.connect"})
        answer = await self._peer.receive_output(SECONDS)
        return str(answer["type"]).removeprefix("websocket.")

    async def say(self, **frame: Any) -> None:
        await self.say_raw(json.dumps(frame, default=str))

    async def say_raw(self, text: str) -> None:
        await self._peer.send_input({"type": "websocket.receive", "text": text})

    async def receive(self, kind: str = "", seconds: float = SECONDS) -> Frame:
        """The next frame, or the next of a type or of an event's name."""
        async with asyncio.timeout(seconds):
            while True:
                output = await self._peer.receive_output(seconds)
                assert output["type"] == "websocket.send", output
                frame: Frame = json.loads(output["text"])
                if kind in ("", frame["type"], frame.get("name")):
                    return frame

    async def closed(self) -> int:
        """The code of the close that comes next, after whatever frames."""
        while True:
            output = await self._peer.receive_output(SECONDS)
            if output["type"] == "websocket.close":
                self.reason = output.get("reason", "")
                return int(output["code"])

    async def silent(self, kind: str, seconds: float = 0.6) -> bool:
        """Whether no frame of the type or name comes for a while."""
        try:
            await self.receive(kind, seconds)
        except TimeoutError:
            return True
        return False

    async def leave(self) -> None:
        await self._peer.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.ended()

    async def ended(self) -> None:
        """The server has done with it; raises what the application did not catch."""
        await self._peer.wait(SECONDS)


async def with_ticket(actor: Actor) -> Socket:
    """A socket of the actor's, let in."""
    ticket = await in_sync(ticket_issue, actor)
    socket = Socket()
    assert await socket.open() == "accept"
    await socket.say(type="authenticate", ticket=ticket.ticket)
    assert (await socket.receive())["type"] == "welcome"
    return socket


async def watching(actor: Actor, talk: UUID) -> tuple[Socket, Frame]:
    """A socket that looks at the conversation, and the snapshot it got."""
    socket = await with_ticket(actor)
    await socket.say(type="subscribe", conversation_id=talk)
    return socket, await socket.receive("snapshot")


def cookie_of(actor: Actor) -> str:
    """The session of the actor's browser."""
    session = client_of(actor).cookies[settings.SESSION_COOKIE_NAME].value
    return f"{settings.SESSION_COOKIE_NAME}={session}"


async def in_sync(act: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return await sync_to_async(act)(*args, **kwargs)


def run(story: Callable[[], Awaitable[None]]) -> None:
    """Play it to its end on an event loop of its own, and to that of whatever is still read for it."""

    async def bounded() -> None:
        async with asyncio.timeout(40):
            await story()

    try:
        asyncio.run(bounded())
    finally:
        _let_readers_finish()


def _let_readers_finish() -> None:
    """The tables are emptied after a test; a reader in the midst of them would be in the way."""
    free = Barrier(_THREADS)
    for waiting in [_readers.submit(free.wait) for _ in range(_THREADS)]:
        waiting.result(SECONDS)
