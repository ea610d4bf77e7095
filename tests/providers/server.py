"""A fake provider over HTTP and SSE with scripted failures, for any protocol.

Requests take behaviors from a queue, then the default one. A process is scripted over HTTP:

POST /control/script   a list of behaviors for the next requests
POST /control/usual    the behavior of all further requests
GET  /control/requests the received requests, and the number of streams that clients closed early (`closed_early`)
POST /control/reset    clear all state
"""

from __future__ import annotations

import asyncio
import json
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from tests.providers import answers, behaviours
from tests.providers.behaviours import WHOLE, Behaviour, Recorded
from tests.providers.http import Answer, read_request

_LONGEST_SILENCE_S = 120
_REQUEST_LIMIT = 1_000


@dataclass(frozen=True)
class Exchange:
    """One request with its answer; `usage` is the input usage in the protocol's format."""

    behaviour: Behaviour
    request: Recorded
    pieces: list[str]
    usage: dict[str, Any]

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def output_tokens(self) -> int:
        return len(self.pieces) + 1


class Wire(Protocol):
    """The encoding of a protocol."""

    def refusal(self, request: Recorded) -> tuple[int, str] | None:
        """The HTTP status and Anthropic error type if the real service would reject the request."""

    def listing(self, request: Recorded) -> Any:
        """The response to a request for a list; None for other requests."""

    def aside(self, request: Recorded, behaviour: Behaviour) -> Any:
        """The response to a request other than chat, such as token counting; None for chat."""

    def usage(self, request: Recorded) -> dict[str, Any]: ...

    def error_body(self, error_type: str, status: int) -> Any: ...

    def opening(self, exchange: Exchange) -> bytes: ...

    def delta(self, exchange: Exchange, text: str) -> bytes: ...

    def ping(self, exchange: Exchange) -> bytes: ...

    def broken(self, exchange: Exchange) -> bytes: ...

    def garbage(self) -> bytes: ...

    def closing(self, exchange: Exchange, stop_reason: str) -> Iterable[bytes]: ...

    def message(self, exchange: Exchange) -> Any: ...

    def reset(self) -> None: ...


class ProviderServer:
    """One server. Its state belongs to its event loop, except what `script` and `requests` share."""

    def __init__(self, wire: Wire) -> None:
        self.url = ""
        self.requests: deque[Recorded] = deque(maxlen=_REQUEST_LIMIT)
        self.usual = Behaviour()
        self.scripts_stretches = False
        self.scripts_memories = False
        self.memories: Callable[[Any], dict[str, Any]] | None = None
        self.gate: Callable[[], bool] = bool
        self.closed_early = 0
        self.open_streams = 0
        self.most_open_streams = 0
        self.connections_made = 0
        self.wire = wire
        self._queue: deque[Behaviour] = deque()
        self._replies: deque[Behaviour] = deque()
        self._connections: set[asyncio.Task[None]] = set()

    @property
    def open_connections(self) -> int:
        return len(self._connections)

    def script(self, *following: Behaviour) -> None:
        """Script the behaviors of the next requests, one each."""
        self._queue.extend(following)

    def script_replies(self, *following: Behaviour) -> None:
        """Script the next chat replies, whatever background calls are made in between."""
        self._replies.extend(following)

    def reset(self) -> None:
        self._queue.clear()
        self._replies.clear()
        self.requests.clear()
        self.wire.reset()
        self.scripts_stretches = self.scripts_memories = False
        self.memories, self.gate = None, bool
        self.usual, self.closed_early, self.most_open_streams = Behaviour(), 0, self.open_streams

    async def serve(self, port: int, ended: asyncio.Event, started: threading.Event | None = None) -> None:
        server = await asyncio.start_server(self._connected, "127.0.0.1", port, backlog=1024)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        if started:
            started.set()
        async with server:
            await ended.wait()
            server.close()
            for task in list(self._connections):
                task.cancel()
            await asyncio.gather(*self._connections, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._connections.add(task)
        self.connections_made += 1
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                while request := await read_request(reader):
                    await self._answer(request, Answer(writer), reader)
        except asyncio.CancelledError:
            # The server's end; asyncio would log the cancellation of a connection's task.
            pass
        finally:
            self._connections.discard(task)
            writer.close()

    async def _answer(self, request: Recorded, answer: Answer, reader: asyncio.StreamReader) -> None:
        if request.path.startswith("/control/"):
            await answer.json(self._control(request))
            return
        self.requests.append(request)
        if refusal := self.wire.refusal(request):
            status, error_type = refusal
            await answer.json(self.wire.error_body(error_type, status), status)
        elif (listing := self.wire.listing(request)) is not None:
            await answer.json(listing)
        else:
            await self._watched(self._reply(self._behaviour(request), request, answer), reader)

    async def _reply(self, behaviour: Behaviour, request: Recorded, answer: Answer) -> None:
        while behaviour.held and not self.gate():
            await asyncio.sleep(0.02)
        await Reply(self.wire, behaviour, request, answer).send()

    def _behaviour(self, request: Recorded) -> Behaviour:
        """Segment summaries and memories are made in the background at any time, so they do not consume scripted
        behaviors."""
        if answers.asks_for_stretch(request.body) and not self.scripts_stretches:
            return Behaviour()
        if answers.asks_for_memories(request.body) and not self.scripts_memories:
            return Behaviour(text=json.dumps(self.memories(request.body)) if self.memories else None)
        if self._replies and answers.schema_of(request.body) is None:
            return self._replies.popleft()
        return self._queue.popleft() if self._queue else self.usual

    async def _watched(self, reply: Any, reader: asyncio.StreamReader) -> None:
        """Send the answer until it is complete or the client disconnects."""
        self.open_streams += 1
        self.most_open_streams = max(self.most_open_streams, self.open_streams)
        sending, leaving = asyncio.ensure_future(reply), asyncio.ensure_future(_left(reader))
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not sending.done():
                self.closed_early += 1
        finally:
            self.open_streams -= 1
            for task in (sending, leaving):
                task.cancel()
            results = await asyncio.gather(sending, leaving, return_exceptions=True)
        for error in results:
            if isinstance(error, Exception) and not isinstance(error, ConnectionError):
                raise error

    def _control(self, request: Recorded) -> dict[str, Any]:
        match request.path.removeprefix("/control/"):
            case "script":
                self.script(*(Behaviour(**values) for values in request.body))
            case "usual":
                self.usual = Behaviour(**request.body)
            case "reset":
                self.reset()
        return {
            "requests": [asdict(recorded) for recorded in self.requests],
            "closed_early": self.closed_early,
            "open_streams": self.open_streams,
            "most_open_streams": self.most_open_streams,
        }


class Reply:
    """Sends one request's answer according to its behavior."""

    def __init__(self, wire: Wire, behaviour: Behaviour, request: Recorded, answer: Answer) -> None:
        self.wire, self.behaviour, self.request, self.answer = wire, behaviour, request, answer

    async def send(self) -> None:
        behaviour, answer = self.behaviour, self.answer
        await asyncio.sleep(behaviour.first_byte_s)
        match behaviour.kind:
            case "hang":
                await asyncio.sleep(_LONGEST_SILENCE_S)
            case "reset_at_once":
                answer.reset()
            case "noise":
                await answer.raw(b"\x00\xff\x16\x03 no protocol at all \r\n\r\n")
                answer.reset()
            case "page":
                await answer.whole(b"<html>Welcome!</html>", "text/html")
            case "status":
                wish = {"retry_after": behaviour.retry_after} if behaviour.retry_after else {}
                body = self.wire.error_body(behaviour.error_type, behaviour.status)
                await answer.json(body, behaviour.status, **wish)
            case _:
                await self._say()

    async def _say(self) -> None:
        if (aside := self.wire.aside(self.request, self.behaviour)) is not None:
            await self.answer.json(aside)
            return
        exchange = self._exchange()
        if self.request.body.get("stream"):
            await self._stream(exchange)
        else:
            await self.answer.json(self.wire.message(exchange))

    def _exchange(self) -> Exchange:
        pieces = behaviours.pieces_of(behaviours.text_of(self.behaviour, self.request.body))
        spoilt = behaviours.spoilt(self.behaviour.kind, pieces)
        return Exchange(self.behaviour, self.request, spoilt, self.wire.usage(self.request))

    async def _stream(self, exchange: Exchange) -> None:
        behaviour, pieces = self.behaviour, exchange.pieces
        await self.answer.begin_stream()
        if behaviour.kind == "mute":
            await asyncio.sleep(_LONGEST_SILENCE_S)
        await self.answer.chunk(self.wire.opening(exchange))
        whole = behaviour.kind in WHOLE
        half = len(pieces) // 2 if behaviour.after is None else behaviour.after
        for number, piece in enumerate(pieces if whole else pieces[:half], 1):
            await asyncio.sleep(behaviour.piece_s)
            if number % behaviour.ping_every == 0:
                await self.answer.chunk(self.wire.ping(exchange))
            await self.answer.chunk(self.wire.delta(exchange, piece))
        await (self._end(exchange, behaviour.stop_reason) if whole else self._misbehave(exchange))

    async def _misbehave(self, exchange: Exchange) -> None:
        answer = self.answer
        match self.behaviour.kind:
            case "in_band":
                await answer.chunk(self.wire.broken(exchange))
                await answer.end_stream()
            case "cut":
                await answer.end_stream()
            case "reset":
                answer.reset()
            case "garbage":
                await answer.chunk(self.wire.garbage())
                await answer.end_stream()
            case "stall":
                await asyncio.sleep(_LONGEST_SILENCE_S)
            case "trickle":
                while True:
                    await answer.chunk(self.wire.ping(exchange))
                    await asyncio.sleep(0.02)
            case "refusal":
                await self._end(exchange, "refusal")

    async def _end(self, exchange: Exchange, stop_reason: str) -> None:
        for data in self.wire.closing(exchange, stop_reason):
            await self.answer.chunk(data)
        await self.answer.end_stream()


def key_of(request: Recorded) -> str:
    """The request's key from either header; None for the key `wrong`."""
    key = request.headers.get("x-api-key") or request.headers.get("authorization", "").removeprefix("Bearer ")
    return "" if key == "wrong" else key


async def _left(reader: asyncio.StreamReader) -> None:
    """Wait until the client closes the connection, and ignore its data."""
    while not reader.at_eof() and reader.exception() is None:
        await asyncio.sleep(0.05)


@contextmanager
def running(wire: Wire, port: int = 0) -> Iterator[ProviderServer]:
    """Run the server on its own thread until the block ends."""
    server, started = ProviderServer(wire), threading.Event()
    loop, ended = asyncio.new_event_loop(), asyncio.Event()
    thread = threading.Thread(
        target=lambda: loop.run_until_complete(server.serve(port, ended, started)), name="provider", daemon=True
    )
    thread.start()
    try:
        assert started.wait(10)
        yield server
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(10)
        assert not thread.is_alive()
        loop.close()


def serve_until_left(starting: AbstractContextManager[ProviderServer]) -> None:
    """Serve as a process until a signal arrives or the parent process ends."""
    with starting as server:
        print(server.url, flush=True)  # who started it reads the address
        parent = os.getppid()
        with suppress(KeyboardInterrupt):
            while os.getppid() == parent:
                time.sleep(0.5)
