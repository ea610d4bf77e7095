"""Limits of size and time on request bodies before Django spools them.

A stream without a length could fill the disk, and a body that never ends would occupy its connection for ever.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from django.conf import settings

from apps.api.framework.middleware import PERMISSIONS_POLICY
from apps.api.framework.problem_details import CONTENT_TYPE, Problem, problem_of_status
from apps.common.ids import uuid7

Scope = Any
Message = Any
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Coroutine[Any, Any, None]]


# A body may take this long, and a second more for each of so many bytes.
GRACE_S = 30.0
SLOWEST_BYTES_PER_S = 16 * 1024


class _Bounded:
    """Hands the body on until it is too large or too slow; Django takes what follows for a client that went away."""

    def __init__(self, receive: Receive, limit: int, declared: int) -> None:
        self._receive = receive
        self._limit = limit
        self._size = 0
        self._began = asyncio.get_running_loop().time()
        self._is_complete = False
        self.is_too_large = declared > limit
        self.is_too_slow = False

    async def __call__(self) -> Message:
        if self._is_complete:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._began + GRACE_S + self._size / SLOWEST_BYTES_PER_S):
                message = await self._receive()
        except TimeoutError:
            self.is_too_slow = True
            return {"type": "http.disconnect"}
        self._size += len(message.get("body", b""))
        self._is_complete = not message.get("more_body", False)
        self.is_too_large = self.is_too_large or self._size > self._limit
        return {"type": "http.disconnect"} if self.is_too_large else message


def bounded_bodies(application: Application) -> Application:
    """The ASGI application, with 413 for bodies beyond what their path takes and 408 for those that do not end."""

    async def bounded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        body = _Bounded(receive, _limit(scope), _declared(scope))
        if not body.is_too_large:
            await application(scope, body, send)
        if body.is_too_large:
            await _refuse(scope, send, problem_of_status(413, "too_large", "The request is too large."))
        elif body.is_too_slow:
            await _refuse(scope, send, problem_of_status(408, "too_slow", "The request took too long to arrive."))

    return bounded


def _limit(scope: Scope) -> int:
    path: str = scope["path"]
    large = any(path.endswith(ending) for ending in settings.LARGE_UPLOAD_PATHS)
    return int(settings.LARGE_UPLOAD_BYTES if large else settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


def _declared(scope: Scope) -> int:
    length: bytes = dict(scope["headers"]).get(b"content-length", b"0")
    return int(length[:20]) if length.isdigit() else 0


async def _refuse(scope: Scope, send: Send, problem: Problem) -> None:
    request_id = uuid7().hex
    body = json.dumps(problem.document(scope["path"], request_id)).encode()
    headers = [
        (b"content-type", CONTENT_TYPE.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"x-request-id", request_id.encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        (b"permissions-policy", PERMISSIONS_POLICY.encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
