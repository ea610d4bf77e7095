"""A minimal HTTP/1.1 server side that can violate the protocol on purpose, unlike a framework."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from typing import Any

from tests.providers.behaviours import Recorded

REASONS = {200: "OK", 400: "Bad Request", 404: "Not Found", 429: "Too Many Requests", 529: "Overloaded"}
_LARGEST_BODY = 64 * 1024 * 1024


async def read_request(reader: asyncio.StreamReader) -> Recorded | None:
    """Read the next request of a connection; None at its end."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    first, *lines = head.rstrip().split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    length = int(headers.get("content-length", "0"))
    assert length <= _LARGEST_BODY
    text = await reader.readexactly(length)
    return Recorded(method, path, headers, json.loads(text) if text else None)


class Answer:
    """The response on one connection."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    async def json(self, value: Any, status: int = 200, **headers: str) -> None:
        await self.whole(json.dumps(value).encode(), "application/json", status, **headers)

    async def whole(self, body: bytes, content_type: str, status: int = 200, **headers: str) -> None:
        await self.raw(self._head(status, {"content-type": content_type, "content-length": str(len(body)), **headers}))
        await self.raw(body)

    async def begin_stream(self) -> None:
        headers = {"content-type": "text/event-stream; charset=utf-8", "transfer-encoding": "chunked"}
        await self.raw(self._head(200, {**headers, "request-id": "req_test"}))

    async def chunk(self, data: bytes) -> None:
        await self.raw(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    async def end_stream(self) -> None:
        await self.raw(b"0\r\n\r\n")

    async def raw(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    def reset(self) -> None:
        """Reset the connection, which also drops data in flight."""
        wire: socket.socket = self._writer.get_extra_info("socket")
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()

    def _head(self, status: int, headers: dict[str, str]) -> bytes:
        lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Error')}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()
