"""A client of streamed turns, over real HTTP to a real server."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.services.keys import ApiKeyDraft, api_key_create
from apps.conversations.models import Message
from tests.conversations.long_conversations import history
from tests.processes import Web

# Longer than any reply of a test; a stalled stream still sends keep-alives.
MOST_S = 20
Event = tuple[str, dict[str, Any]]


class Talker:
    """An HTTP client with an API key of its own."""

    def __init__(self, web: Web, actor: Actor) -> None:
        self._address = urlsplit(web.url).netloc
        self._key = api_key_create(actor, draft=ApiKeyDraft("test", frozenset({"read", "write"}))).secret

    def open(self, method: str, path: str, body: dict[str, Any] | None = None) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection(self._address, timeout=30)
        headers = {
            "Authorization": f"Bearer {self._key}",
            "Accept": "text/event-stream" if "/turns" in path else "application/json",
            "Content-Type": "application/json",
            "Connection": "close",
        }
        connection.request(method, f"/api{path}", json.dumps(body or {}) if method != "GET" else None, headers)
        return connection.getresponse()

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        with self.open(method, path, body) as response:
            return response.status, json.loads(response.read() or b"{}")

    def turn(self, talk: UUID, content: str, **more: Any) -> http.client.HTTPResponse:
        return self.open("POST", f"/conversations/{talk}/turns", {"content": content, **more})


def events(response: http.client.HTTPResponse) -> Iterator[Event]:
    """Yield the events of a stream until it ends or the consumer stops."""
    until = time.monotonic() + MOST_S
    with response:
        yield from parsed(_within(response, until))


def parsed(lines: Iterable[bytes]) -> Iterator[Event]:
    """Parse the events of a response's lines."""
    name = ""
    for raw in lines:
        line = raw.decode().rstrip("\n")
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def _within(lines: Iterable[bytes], until: float) -> Iterator[bytes]:
    for line in lines:
        assert time.monotonic() < until, "the stream does not end"
        yield line


def told(stream: list[Event]) -> str:
    return "".join(data["text"] for name, data in stream if name == "delta")


def reply_of(actor: Actor, talk: UUID) -> Message:
    return history(actor, talk)[-1]


def ended(actor: Actor, talk: UUID) -> tuple[str, str]:
    reply = reply_of(actor, talk)
    return reply.status, reply.error_code
