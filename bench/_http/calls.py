"""HTTP calls over a persistent connection, with little CPU use by the client."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from config.stack.errors import StackError

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_END = b"\r\n\r\n"
TIMEOUT_S = 20


@dataclass(frozen=True, slots=True)
class Call:
    """One request to one server, ready to be sent."""

    name: str
    base: str
    encoded: bytes

    @classmethod
    def of(cls, name: str, base: str, path: str, key: str = "", body: Mapping[str, Any] | None = None) -> Call:
        method, content = ("GET", b"") if body is None else ("POST", json.dumps(body).encode())
        lines = [f"{method} {path} HTTP/1.1", f"Host: {urlsplit(base).netloc}", "Accept: application/json"]
        lines += [f"Authorization: Bearer {key}"] if key else []
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"] if content else []
        return cls(name, base, "\r\n".join(lines).encode() + _END + content)


class Connection:
    """Sends a call and reads the whole response; raises `StackError` unless it succeeded."""

    def __init__(self, base: str) -> None:
        address = urlsplit(base)
        self._socket = socket.create_connection((address.hostname, address.port), TIMEOUT_S)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def took_ms(self, call: Call) -> float:
        began = time.perf_counter()
        self._socket.sendall(call.encoded)
        answer = self._answer()
        took = 1_000 * (time.perf_counter() - began)
        if not answer.startswith(b"HTTP/1.1 2"):
            raise StackError(f"{call.name} failed: {answer[:500]!r}")
        return took

    def close(self) -> None:
        self._socket.close()

    def _answer(self) -> bytes:
        read = bytearray()
        while (end := read.find(_END)) < 0:
            read += self._received()
        length = _LENGTH.search(read, 0, end)
        if length is None:
            raise StackError(f"An answer without a length: {bytes(read[:500])!r}")
        while len(read) < end + len(_END) + int(length[1]):
            read += self._received()
        return bytes(read)

    def _received(self) -> bytes:
        part = self._socket.recv(65_536)
        if not part:
            raise StackError("The server closed the connection.")
        return part


@contextmanager
def connected(bases: Sequence[str]) -> Iterator[dict[str, Connection]]:
    """Open a connection to each server."""
    connections = {base: Connection(base) for base in bases}
    try:
        yield connections
    finally:
        for connection in connections.values():
            connection.close()


def many_at_once(calls_of: Sequence[Callable[[int], Call]], seconds: float) -> tuple[list[float], float]:
    """Repeat each client's call for some seconds; return the times, and the responses per second."""
    end = time.perf_counter() + seconds
    times: list[list[float]] = [[] for _ in calls_of]
    failures: list[BaseException] = []

    def client(number: int) -> None:
        try:
            connection = Connection(calls_of[number](0).base)
            while time.perf_counter() < end:
                times[number].append(connection.took_ms(calls_of[number](len(times[number]))))
            connection.close()
        except BaseException as error:  # raised again below, in the thread that waits
            failures.append(error)

    began = time.perf_counter()
    threads = [threading.Thread(target=client, args=[number]) for number in range(len(calls_of))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    everything = [took for one in times for took in one]
    return everything, len(everything) / (time.perf_counter() - began)
