"""A size limit on request bodies before Django spools them: a stream without a length could fill the disk."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from django.conf import settings

from apps.api.framework.problem_details import CONTENT_TYPE, problem_of_status
from apps.common.ids import uuid7

Scope = Any
Message = Any
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Coroutine[Any, Any, None]]


class _Counted:
    """Hands the body on until it is too large; Django takes what follows for a client that went away."""

    def __init__(self, receive: Receive, limit: int, declared: int) -> None:
        self._receive = receive
        self._left = limit
        self.is_too_large = declared > limit

    async def __call__(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        self.is_too_large = self.is_too_large or self._left < 0
        return {"type": "http.disconnect"} if self.is_too_large else message


def bounded_bodies(application: Application) -> Application:
    """The ASGI application, with 413 for bodies beyond what their address takes."""

    async def bounded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        counted = _Counted(receive, _limit(scope), _declared(scope))
        if not counted.is_too_large:
            await application(scope, counted, send)
        if counted.is_too_large:
            await _refuse(scope, send)

    return bounded


def _limit(scope: Scope) -> int:
    path: str = scope["path"]
    large = any(path.endswith(ending) for ending in settings.LARGE_UPLOAD_PATHS)
    return int(settings.LARGE_UPLOAD_BYTES if large else settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


def _declared(scope: Scope) -> int:
    length: bytes = dict(scope["headers"]).get(b"content-length", b"0")
    return int(length[:20]) if length.isdigit() else 0


async def _refuse(scope: Scope, send: Send) -> None:
    request_id = uuid7().hex
    problem = problem_of_status(413, "too_large", "The request is too large.")
    body = json.dumps(problem.document(scope["path"], request_id)).encode()
    headers = [
        (b"content-type", CONTENT_TYPE.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"x-request-id", request_id.encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": body})
