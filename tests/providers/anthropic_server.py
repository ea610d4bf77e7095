"""A server that speaks Anthropic's messages over real HTTP and SSE, and misbehaves when it is told to.

In a test: `with running_server() as server: server.script(Behaviour("cut")); … server.url`. As a process:
`python -m tests.providers.anthropic_server --port 0` prints its URL; it ends with the one who started it. Requests
take behaviours from a queue, then the usual one. A process is told over HTTP:

POST /control/script   a list of behaviours for the next requests
POST /control/usual    the behaviour of all further requests
GET  /control/requests what was asked, and how many streams were left by their clients (`closed_early`)
POST /control/reset    forget everything
"""

from __future__ import annotations

import argparse
import asyncio
import os
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from itertools import pairwise
from typing import Any

from tests.providers import behaviours
from tests.providers.behaviours import Behaviour, Recorded
from tests.providers.http import Answer, read_request

VERSIONS = {"2023-06-01", "2026-10-21"}
SAMPLING = {"temperature", "top_p", "top_k"}
_LONGEST_SILENCE_S = 120
_KEPT_REQUESTS = 1_000


class ProviderServer:
    """One server; all of its state belongs to its own event loop but what `script` and `requests` share."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: deque[Recorded] = deque(maxlen=_KEPT_REQUESTS)
        self.usual = Behaviour()
        self.scripts_stretches = False
        self.closed_early = 0
        self.open_streams = 0
        self.most_open_streams = 0
        self._queue: deque[Behaviour] = deque()
        self._connections: set[asyncio.Task[None]] = set()

    def script(self, *following: Behaviour) -> None:
        """What the next requests meet, one each."""
        self._queue.extend(following)

    def reset(self) -> None:
        self._queue.clear()
        self.requests.clear()
        self.scripts_stretches = False
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
        refusal = _refusal(request)
        if refusal:
            await answer.json(behaviours.error_body(refusal[1]), refusal[0])
            return
        await self._watched(Reply(self._behaviour(request), request, answer).send(), reader)

    def _behaviour(self, request: Recorded) -> Behaviour:
        """Older stretches are told in the background, at any time: what a test scripts is not meant for that."""
        if behaviours.asks_for_stretch(request.body) and not self.scripts_stretches:
            return Behaviour()
        return self._queue.popleft() if self._queue else self.usual

    async def _watched(self, reply: Any, reader: asyncio.StreamReader) -> None:
        """Send the reply until it is done or the client has gone; a client that asks waits for the answer."""
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
            gone = await asyncio.gather(sending, leaving, return_exceptions=True)
        for error in gone:
            if isinstance(error, Exception) and not isinstance(error, ConnectionError):
                raise error

    def _control(self, request: Recorded) -> dict[str, Any]:
        match request.path.removeprefix("/control/"):
            case "script":
                self.script(*(Behaviour(**told) for told in request.body))
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
    """One request's answer, as its behaviour wants it."""

    def __init__(self, behaviour: Behaviour, request: Recorded, answer: Answer) -> None:
        self.behaviour, self.request, self.answer = behaviour, request, answer
        self.text = behaviours.text_of(behaviour, request.body)
        self.pieces = behaviours.spoilt(behaviour.kind, behaviours.pieces_of(self.text))

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
                await answer.json(behaviours.error_body(behaviour.error_type), behaviour.status, **wish)
            case _ if self.request.body.get("stream"):
                await self._stream()
            case _:
                await answer.json(self._message())

    async def _stream(self) -> None:
        await self.answer.begin_stream()
        await self.answer.chunk(behaviours.opening(self.request.body["model"], self._input_tokens()))
        kind = self.behaviour.kind
        whole = kind in {"answer", "nul", "halves", "wrong_schema", "not_json", "empty"}
        half = len(self.pieces) // 2 if self.behaviour.after is None else self.behaviour.after
        for number, piece in enumerate(self.pieces if whole else self.pieces[:half], 1):
            await asyncio.sleep(self.behaviour.piece_s)
            if number % self.behaviour.ping_every == 0:
                await self.answer.chunk(behaviours.event("ping", {}))
            await self.answer.chunk(behaviours.delta(piece))
        await (self._end(self.behaviour.stop_reason) if whole else self._misbehave(kind))

    async def _misbehave(self, kind: str) -> None:
        answer = self.answer
        match kind:
            case "in_band":
                broken = behaviours.event("error", behaviours.error_body(self.behaviour.error_type))
                await answer.chunk(broken)
                await answer.end_stream()
            case "cut":
                await answer.end_stream()
            case "reset":
                answer.reset()
            case "garbage":
                await answer.chunk(b"event: content_block_delta\ndata: {\xff\xfe not json\n\n")
                await answer.end_stream()
            case "stall":
                await asyncio.sleep(_LONGEST_SILENCE_S)
            case "trickle":
                while True:
                    await answer.chunk(behaviours.event("ping", {}))
                    await asyncio.sleep(0.02)
            case "refusal":
                await self._end("refusal")

    async def _end(self, stop_reason: str) -> None:
        for data in behaviours.closing(stop_reason, len(self.pieces) + 1):
            await self.answer.chunk(data)
        await self.answer.end_stream()

    def _message(self) -> dict[str, Any]:
        refused = self.behaviour.kind == "refusal"
        return {
            "id": "msg_test",
            "type": "message",
            "role": "assistant",
            "model": self.request.body["model"],
            "content": [{"type": "text", "text": self.text}] if self.text else [],
            "stop_reason": "refusal" if refused else self.behaviour.stop_reason,
            "stop_sequence": None,
            "usage": {"input_tokens": self._input_tokens(), "output_tokens": len(self.pieces) + 1},
        }

    def _input_tokens(self) -> int:
        return len(str(self.request.body)) // 4


def _refusal(request: Recorded) -> tuple[int, str] | None:
    """What the real service refuses: strangers, unknown versions, sampling parameters, requests without a body."""
    key = request.headers.get("x-api-key") or request.headers.get("authorization", "").removeprefix("Bearer ")
    if request.method != "POST" or request.path.split("?")[0] != "/v1/messages":
        return 404, "not_found_error"
    if not key or key == "wrong":
        return 401, "authentication_error"
    body = request.body if isinstance(request.body, dict) else {}
    new = request.headers.get("anthropic-version") == "2026-10-21"
    if request.headers.get("anthropic-version") not in VERSIONS or (new and SAMPLING & body.keys()):
        return 400, "invalid_request_error"
    if not {"model", "max_tokens", "messages"} <= body.keys() or not body["messages"]:
        return 400, "invalid_request_error"
    roles = [message["role"] for message in body["messages"]]
    alternate = all(a != b for a, b in pairwise(roles))
    return None if roles[0] == "user" and alternate else (400, "invalid_request_error")


async def _left(reader: asyncio.StreamReader) -> None:
    """Until the client closes; what it may send meanwhile stays unread."""
    while not reader.at_eof() and reader.exception() is None:
        await asyncio.sleep(0.05)


@contextmanager
def running_server(port: int = 0) -> Iterator[ProviderServer]:
    """The server on a thread of its own, until the block ends."""
    server, started = ProviderServer(), threading.Event()
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


def main() -> None:
    """Serve until a signal comes or the one who started it is gone."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    with running_server(parser.parse_args().port) as server:
        print(server.url, flush=True)  # who started it reads the address
        parent = os.getppid()
        with suppress(KeyboardInterrupt):
            while os.getppid() == parent:
                time.sleep(0.5)


if __name__ == "__main__":
    main()
