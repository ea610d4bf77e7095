"""Time that Continuity adds to a model's first token, with 20 concurrent streams, by adapter.

A turn starts every 250 ms, on a slow machine once fewer than twenty streams are open, in a conversation with a history.
Between turns, the same provider request is sent to the fake provider directly: its time to the first token is the
baseline. Measured are the time above the baseline, and the web process's CPU time per turn, next to that of a request
which only reads who sent it (`GET /api/me`).
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from config.stack import processes
from config.stack.client import Client
from config.stack.errors import StackError
from config.stack.process import PYTHON, ROOT
from config.stack.throwaway_stack import TemporaryStack, temporary_stack

STREAMS = 20
TURNS, UNCOUNTED = 140, 60
ME_CALLS = 100
EVERY_S = 0.25
HISTORY = 30
PIECES = 99
# A reply lasts a little less than twenty turns take to start.
PIECE_S = 0.048
FIRST_TOKEN_S = 0.1
WARM_UP = 3
TIMEOUT_S = 300

KEY = "sk-bench"
REPLY = " ".join(["word"] * (3 * PIECES))
SENTENCES = (
    "We keep the answers of the catalogue for five minutes because the shops change their prices at night only. ",
    "Then the response time stays under 200 ms; the migration is in services/catalogue/cache.py, with its tests. ",
)


@dataclass(frozen=True)
class Wire:
    """Fake provider and request of one adapter; `settings` refer to its base URL as `{url}`."""

    adapter: str
    module: str
    settings: Mapping[str, str]
    path: str
    headers: Mapping[str, str]
    first: bytes

    def settings_at(self, url: str) -> dict[str, str]:
        return {name: value.format(url=url) for name, value in self.settings.items()}


WIRES = (
    Wire(
        adapter="anthropic",
        module="tests.providers.anthropic_server",
        settings={"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "{url}", "CONTINUITY_MODEL_PROVIDER": "anthropic"},
        path="/v1/messages",
        headers={"x-api-key": KEY, "anthropic-version": "2023-06-01"},
        first=b"content_block_delta",
    ),
    Wire(
        adapter="openai",
        module="tests.providers.openai_server",
        settings={"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "{url}/v1", "CONTINUITY_MODEL_PROVIDER": "openai"},
        path="/v1/chat/completions",
        headers={"Authorization": f"Bearer {KEY}"},
        first=b'"content": "word',
    ),
)


def measure() -> Iterator[dict[str, Any]]:
    """Yield a line for each adapter, and the worst of them."""
    lines = []
    for wire in WIRES:
        lines.append(_measured_by(wire))
        yield lines[-1]
    worst = max(lines, key=lambda line: line["added_p95_ms"])
    yield {"bench": "stream_first_byte", **{name: worst[name] for name in ("added_p95_ms", "floor_ms", "adapter")}}


def _measured_by(wire: Wire) -> dict[str, Any]:
    with provider(wire) as url, temporary_stack(wire.settings_at(url)) as stack:
        print(f"Starting a stack for the measurement of {wire.adapter}.", file=sys.stderr)
        stack.start()
        behaviour = {"text": REPLY, "first_byte_s": FIRST_TOKEN_S, "piece_s": PIECE_S}
        Client(url).post("/control/usual", behaviour)
        return asyncio.run(asyncio.wait_for(_measured(stack, wire, url), TIMEOUT_S))


@contextmanager
def provider(wire: Wire) -> Iterator[str]:
    """Run the fake provider as a process; yield its URL."""
    argv = [PYTHON, "-m", wire.module]
    with subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603  # ours
        try:
            assert process.stdout is not None  # noqa: S101  # it was asked for
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


@dataclass(frozen=True)
class Request:
    """One HTTP request whose answer is a stream of events: the first token's line has `first`, the end's `last`.

    Without a `last` nobody reads on after the first token.
    """

    url: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    first: bytes
    last: bytes | None = None

    def encoded(self) -> bytes:
        address, body = urlsplit(self.url), json.dumps(self.body).encode()
        headers = {"Host": address.netloc, "Content-Type": "application/json", "Content-Length": len(body)}
        lines = [
            f"POST {address.path} HTTP/1.1",
            *(f"{name}: {is_}" for name, is_ in {**headers, **self.headers}.items()),
        ]
        return ("\r\n".join(lines) + "\r\n\r\n").encode() + body

    async def first_token_ms(self) -> float:
        """Send it, read the response, and return the time to the first token."""
        address = urlsplit(self.url)
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        try:
            began = time.perf_counter()
            writer.write(self.encoded())
            await _read_to(self.first, reader)
            took = 1_000 * (time.perf_counter() - began)
            if self.last is not None:
                await _read_to(self.last, reader)
        finally:
            writer.close()
        return took


async def _read_to(mark: bytes, reader: asyncio.StreamReader) -> None:
    read = []
    while mark not in (line := await reader.readline()):
        read.append(line)
        if not line or line == b"0\r\n":
            raise StackError(f"{mark!r} did not come, but: {b''.join(read[-9:])!r}")


@dataclass
class Schedule:
    """The turns of one measurement, each in a conversation whose former reply has ended."""

    client: Client
    wire: Wire
    provider_url: str
    idle: asyncio.Queue[str]
    recorded_body: dict[str, Any] = field(default_factory=dict)
    open_streams: list[int] = field(default_factory=list)

    async def started(self, number: int) -> asyncio.Task[float]:
        """Start a turn once a conversation has no reply running; on a slow machine replies outlast their time."""
        conversation_id = await self.idle.get()
        self.open_streams.append(STREAMS - self.idle.qsize())
        return asyncio.create_task(self._turn(number, conversation_id))

    async def _turn(self, number: int, conversation_id: str) -> float:
        """Send one turn, read the reply, and return the time to its first token."""
        headers = {"Authorization": f"Bearer {self.client.api_key}"}
        body = {"content": f"Question {number}: what did we decide about the catalogue, and why?"}
        url = f"{self.client.base}/api/conversations/{conversation_id}/turns"
        try:
            return await Request(url, headers, body, b"event: delta", b'"status": "complete"').first_token_ms()
        finally:
            self.idle.put_nowait(conversation_id)

    async def floor(self) -> float:
        """Send the web process's request directly to the provider, and disconnect after the first token.

        A second full stream would slow down the measured one.
        """
        url = f"{self.provider_url}{self.wire.path}"
        return await Request(url, self.wire.headers, self.recorded_body, self.wire.first).first_token_ms()

    async def warm_up(self) -> None:
        """Import the SDK, fill the pools, and record a turn's request; one for a summary has few messages."""
        for number in range(WARM_UP):
            await (await self.started(number))
        seen = await asyncio.to_thread(Client(self.provider_url).get, "/control/requests")
        bodies = [request["body"] for request in seen["requests"]]
        self.recorded_body = [body for body in bodies if len(body["messages"]) > WARM_UP][-1]
        self.open_streams.clear()


async def _measured(stack: TemporaryStack, wire: Wire, provider_url: str) -> dict[str, Any]:
    client, pid = stack.client, int(stack.home.read_status()["services"]["web"][0])
    schedule = Schedule(client, wire, provider_url, asyncio.Queue())
    for number in range(STREAMS):
        schedule.idle.put_nowait(_conversation(client, number))
    await schedule.warm_up()
    me_cpu_ms = await asyncio.to_thread(_me_cpu_ms, client, pid)
    turns, floors = [], []
    busy = processes.cpu_s(pid)
    for number in range(WARM_UP, WARM_UP + TURNS):
        turns.append(await schedule.started(number))
        await asyncio.sleep(EVERY_S / 2)
        floors.append(asyncio.create_task(schedule.floor()))
        await asyncio.sleep(EVERY_S / 2)
    took, straight = await asyncio.gather(*turns), await asyncio.gather(*floors)
    cpu = {"cpu_ms_per_turn": round(1_000 * (processes.cpu_s(pid) - busy) / TURNS, 1), "me_cpu_ms": me_cpu_ms}
    streams = {"open_streams": round(statistics.mean(schedule.open_streams[UNCOUNTED:]), 1)}
    return _result(wire.adapter, took, straight) | cpu | streams


def _result(adapter: str, took: list[float], straight: list[float]) -> dict[str, Any]:
    """Compute the result line. The first turns count only for the CPU: until twenty streams are open and every
    connection has prepared its statements."""
    floor = statistics.median(straight)
    added = sorted(ms - floor for ms in took[UNCOUNTED:])
    return {
        "bench": "stream",
        "adapter": adapter,
        "added_p95_ms": round(statistics.quantiles(added, n=20)[-1], 1),
        "turns": len(added),
        "added_p50_ms": round(statistics.median(added), 1),
        "floor_ms": round(floor, 1),
    }


def _conversation(client: Client, number: int) -> str:
    """Create a conversation with a history too short for a compaction."""
    created = client.post("/api/conversations", {"title": f"Stream {number}", "system_prompt": "Be brief."})
    roles = ("user", "assistant")
    messages = [{"role": roles[n % 2], "content": 4 * SENTENCES[n % 2]} for n in range(HISTORY)]
    client.post(f"/api/conversations/{created['id']}/messages", {"messages": messages})
    return str(created["id"])


def _me_cpu_ms(client: Client, pid: int) -> float:
    """Return the web process's CPU time for a request that reads who asks."""
    busy = processes.cpu_s(pid)
    for _ in range(ME_CALLS):
        client.get("/api/me")
    return round(1_000 * (processes.cpu_s(pid) - busy) / ME_CALLS, 2)
