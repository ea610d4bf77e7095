"""Clients that ask for much and read nothing."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack

from config.stack.services import ADDRESS
from tests.attack.target import Json, Target

READERS = 60
PROBES = 60
# A page of about 3 MB: more than the kernel takes off our hands.
MESSAGES, CHARACTERS = 200, 15_000
RECEIVE_BUFFER = 4096


def slow_readers(target: Target) -> Json:
    """Ask for large pages on many connections without reading; measure what everybody else waits,
    before it too."""
    conversation = _large_conversation(target)
    calm = _p95_ms(target)
    request = (
        f"GET /api/conversations/{conversation}/messages?limit=200 HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {target.client.api_key}\r\n\r\n"
    ).encode()
    with ExitStack() as connections:
        for _ in range(READERS):
            reader = connections.enter_context(socket.socket())
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
            reader.connect((ADDRESS, target.port))
            reader.sendall(request)
        _await_calm(target)
        return {"slow_readers_p95_ms": _p95_ms(target), "calm_p95_ms": calm}


def _p95_ms(target: Target) -> float:
    times = sorted(_probe(target) for _ in range(PROBES))
    return round(1000 * times[int(0.95 * len(times))], 1)


def _large_conversation(target: Target) -> str:
    conversation: str = target.client.post("/api/conversations", {"title": "Large"})["id"]
    for start in range(0, MESSAGES, 50):
        messages = [{"role": "user", "content": f"{start + number} " + "x" * CHARACTERS} for number in range(50)]
        target.client.post(f"/api/conversations/{conversation}/messages", {"messages": messages})
    return conversation


def _await_calm(target: Target, seconds: float = 20) -> None:
    """Wait until the pages are computed: what is measured is the time in which they are not read."""
    deadline = time.monotonic() + seconds
    while _probe(target) > 0.1 and time.monotonic() < deadline:
        time.sleep(0.1)


def _probe(target: Target) -> float:
    began = time.monotonic()
    target.client.get("/api/me")
    return time.monotonic() - began
