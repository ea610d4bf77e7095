"""The thread pool handler: requests share persistent threads, instead of creating a thread and a connection each."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from config.thread_pool_asgi import THREADS, ThreadPoolHandler

Message = dict[str, Any]
HEADERS = [(b"host", b"localhost")]


def test_sequential_requests_share_threads() -> None:
    handler = ThreadPoolHandler()
    before = _request_threads()

    async def ask() -> list[int]:
        return [await _status(handler, "/healthz") for _ in range(40)]

    assert asyncio.run(ask()) == [200] * 40
    # A thread counts as busy for a moment after its response.
    assert len(_request_threads() - before) <= 10


def test_concurrent_requests_wait_for_a_thread_and_all_get_a_response() -> None:
    handler = ThreadPoolHandler()
    before = _request_threads()

    async def ask() -> list[int]:
        return await asyncio.gather(*(_status(handler, "/healthz") for _ in range(5 * THREADS)))

    assert asyncio.run(ask()) == [200] * 5 * THREADS
    assert len(_request_threads() - before) <= THREADS


def test_a_client_that_disconnects_before_sending_its_body_gets_no_response() -> None:
    handler = ThreadPoolHandler()
    assert asyncio.run(_answer(handler, "/healthz", [{"type": "http.disconnect"}])) == []


async def _status(handler: ThreadPoolHandler, path: str) -> int:
    sent = await _answer(handler, path, [{"type": "http.request", "body": b"", "more_body": False}])
    return int(sent[0]["status"])


async def _answer(handler: ThreadPoolHandler, path: str, received: list[Message]) -> list[Message]:
    coming, sent = iter(received), []
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": HEADERS}

    async def receive() -> Message:
        return next(coming)

    async def send(message: Any) -> None:
        sent.append(message)

    await handler(scope, receive, send)
    return sent


def _request_threads() -> set[int]:
    return {thread.native_id or 0 for thread in threading.enumerate() if thread.name.startswith("request")}
