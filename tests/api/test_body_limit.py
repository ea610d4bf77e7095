"""Body limits in front of Django: a body without a declared length is counted as it arrives."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from django.core.asgi import get_asgi_application
from pytest_django import Settings

from apps.api.framework import body_limit
from apps.api.framework.body_limit import bounded_bodies

Message = Any
STALLED = b"stalled"


def send(path: str, chunks: list[bytes], headers: list[tuple[bytes, bytes]]) -> tuple[int, dict[str, Any], int]:
    """Return the status, the document, and the number of consumed chunks."""
    waiting = list(chunks)
    sent: list[Message] = []

    async def receive() -> Message:
        if not waiting or waiting[0] is STALLED:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": waiting.pop(0), "more_body": bool(waiting)}

    async def keep(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "",
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/json"), *headers],
        "client": ("127.0.0.1", 1), "server": ("localhost", 80),
    }  # fmt: skip
    asyncio.run(bounded_bodies(get_asgi_application())(scope, receive, keep))
    body = b"".join(message.get("body", b"") for message in sent)
    return sent[0]["status"], json.loads(body), len(chunks) - len(waiting)


def test_an_endless_stream_is_cut_off(settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    status, problem, taken = send("/api/sign-in", [b"x" * 400] * 1_000, [(b"transfer-encoding", b"chunked")])
    assert (status, problem["code"], taken) == (413, "too_large", 3)


def test_a_declared_length_is_believed_at_once(settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    status, problem, taken = send("/api/sign-in", [b"x"], [(b"content-length", b"5000")])
    assert (status, problem["code"], taken) == (413, "too_large", 0)


def test_a_body_that_does_not_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_limit, "GRACE_S", 0.05)
    status, problem, taken = send("/api/sign-in", [b"x", STALLED], [(b"transfer-encoding", b"chunked")])
    assert (status, problem["code"], taken) == (408, "too_slow", 1)


@pytest.mark.django_db(transaction=True)
def test_a_stream_without_a_length_is_read_as_a_body() -> None:
    chunks = [b'{"email": "nobody@exam', b'ple.org", "password": 5}']
    status, problem, _ = send("/api/sign-in", chunks, [(b"transfer-encoding", b"chunked")])
    assert (status, problem["errors"][0]["pointer"]) == (400, "/password")
