"""1,000 sockets on one web process, all subscribed to one conversation that receives messages.

Measured are the memory of the web process, the time from sending a message to its event at each socket, next to that of
a socket which is alone, and whether every socket ends with the same state as a new subscription.
"""

from __future__ import annotations

import asyncio
import json
import resource
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from config.stack.client import Client
from config.stack.errors import StackError
from config.stack.throwaway_stack import TemporaryStack, temporary_stack
from tests.realtime.reducer import Frame, View

SOCKETS = 1_000
MESSAGES = 20
PAUSE_S = 0.3
AT_ONCE = 25
SETTLE_S = 15


def measure() -> dict[str, Any]:
    _allow_many_files()
    with temporary_stack() as stack:
        print("Starting a stack for this measurement.", file=sys.stderr)
        stack.start()
        return asyncio.run(_measured(stack))


@dataclass
class Listener:
    """A client with its view of the conversation, and the time at which each version arrived."""

    socket: ClientConnection
    view: View
    conversation_id: str
    received_at: dict[int, float] = field(default_factory=dict)
    is_resyncing: bool = False

    @classmethod
    async def open(cls, client: Client, conversation_id: str) -> Listener:
        ticket = await asyncio.to_thread(client.post, "/api/ws-ticket")
        socket = await connect(client.base.replace("http:", "ws:") + "/ws", compression=None)
        await socket.send(json.dumps({"type": "authenticate", "ticket": ticket["ticket"]}))
        await socket.send(_subscribe(conversation_id))
        while (frame := json.loads(await socket.recv()))["type"] != "snapshot":
            pass
        return cls(socket, View(frame), conversation_id)

    async def listen(self) -> None:
        async for text in self.socket:
            now = time.monotonic()
            frame = json.loads(text)
            if frame.get("name") == "MessagesStored":
                self.received_at.setdefault(frame["version"], now)
            self.view.apply(frame)
            await self._catch_up(frame)

    async def _catch_up(self, frame: Frame) -> None:
        """Fetch the state after a missed event, once at a time."""
        if frame["type"] == "snapshot":
            self.is_resyncing = False
        if self.view.stale and not self.is_resyncing:
            self.is_resyncing = True
            await self.socket.send(_subscribe(self.conversation_id))

    def has_settled(self, version: int) -> bool:
        return self.view.version == self.view.health_version == version and not self.view.stale


async def _measured(stack: TemporaryStack) -> dict[str, Any]:
    client = stack.client
    alone = await _alone_ms(client)
    conversation_id = client.post("/api/conversations", {"title": "Many subscribers"})["id"]
    idle = _memory_mb(stack)
    begun = time.monotonic()
    listeners = await _opened(client, conversation_id)
    opened_s = time.monotonic() - begun
    tasks = [asyncio.create_task(listener.listen()) for listener in listeners]
    sent = await _send_messages(client, conversation_id)
    await _settled(listeners, len(sent))
    full = _memory_mb(stack)
    fresh = await Listener.open(client, conversation_id)
    for task in tasks:
        task.cancel()
    delays = _delays_ms(listeners, sent)
    alike = sum(listener.view.state == fresh.view.state for listener in listeners)
    return {
        "bench": "sockets",
        "sockets": len(listeners),
        "memory_mb": round(full, 1),
        "kb_per_socket": round(1_024 * (full - idle) / len(listeners), 1),
        "p50_ms": round(delays[len(delays) // 2], 1),
        "p95_ms": round(delays[int(len(delays) * 0.95)], 1),
        "alone_p50_ms": alone,
        "delivered_percent": round(100 * len(delays) / (len(listeners) * len(sent)), 2),
        "converged_percent": round(100 * alike / len(listeners), 2),
        "opened_in_s": round(opened_s, 1),
    }


async def _alone_ms(client: Client) -> float:
    """Return the median delay of a conversation with one subscriber."""
    conversation_id = client.post("/api/conversations", {"title": "One subscriber"})["id"]
    listener = await Listener.open(client, conversation_id)
    task = asyncio.create_task(listener.listen())
    sent = await _send_messages(client, conversation_id)
    await _settled([listener], len(sent))
    task.cancel()
    return round(statistics.median(_delays_ms([listener], sent)), 1)


def _delays_ms(listeners: list[Listener], sent: dict[int, float]) -> list[float]:
    return sorted(
        1_000 * (one.received_at[v] - at) for one in listeners for v, at in sent.items() if v in one.received_at
    )


async def _opened(client: Client, conversation_id: str) -> list[Listener]:
    semaphore = asyncio.Semaphore(AT_ONCE)

    async def one() -> Listener:
        async with semaphore:
            return await Listener.open(client, conversation_id)

    return list(await asyncio.gather(*(one() for _ in range(SOCKETS))))


async def _send_messages(client: Client, conversation_id: str) -> dict[int, float]:
    """Send messages at a constant rate; return the time at which each version was sent."""
    sent = {}
    for number in range(MESSAGES):
        message = {"role": ("user", "assistant")[number % 2], "content": f"Message {number}. " * 20}
        sent[number + 1] = time.monotonic()
        await asyncio.to_thread(client.post, f"/api/conversations/{conversation_id}/messages", message)
        await asyncio.sleep(PAUSE_S)
    return sent


async def _settled(listeners: list[Listener], version: int) -> None:
    """Wait until all have received everything; raise `StackError` after a timeout."""
    deadline = time.monotonic() + SETTLE_S
    while late := sum(not listener.has_settled(version) for listener in listeners):
        if time.monotonic() > deadline:
            raise StackError(f"{late} of {len(listeners)} sockets were not at version {version} after {SETTLE_S} s")
        await asyncio.sleep(0.1)


def _subscribe(conversation_id: str) -> str:
    return json.dumps({"type": "subscribe", "conversation_id": conversation_id})


def _memory_mb(stack: TemporaryStack) -> float:
    """Return the resident memory of the web process."""
    pid = stack.home.read_status()["services"]["web"][0]
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1_024 for line in lines if line.startswith("VmRSS"))


def _allow_many_files() -> None:
    """Raise the limit of open files for this process and the stack."""
    _, maximum = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (maximum, maximum))
