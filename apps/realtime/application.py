"""ASGI application of WebSockets: serve /ws and reject every other path."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import structlog

from apps.realtime.consumer import OUTAGES, TRY_AGAIN, LiveConsumer

PATH = "/ws"
_consumer = LiveConsumer.as_asgi()
_log = structlog.get_logger("continuity.realtime")


async def live_application(
    scope: MutableMapping[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
) -> None:
    if scope["path"] != PATH:
        await send({"type": "websocket.close", "code": 4404})
        return
    try:
        await _consumer(scope, receive, send)
    except OUTAGES as error:
        _log.warning("realtime.no_socket", error=type(error).__name__)
        await send({"type": "websocket.close", "code": TRY_AGAIN})
