"""ASGI handler that runs each request from beginning to end on one thread of a persistent pool.

Django's own handler starts a thread per request, switches to it and back for every signal, for both halves of each
middleware and for the end, and creates a new connection object there, which takes longer than most responses. Here the
event loop only reads bodies and sends responses; streams are created on the thread and iterated on the loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.core.signals import request_started
from django.db import close_old_connections
from django.urls import set_script_prefix

# More than the connection pool has connections, because requests may wait for a provider or a lock. A thread is started
# only when all others are busy.
THREADS = 16

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class ThreadPoolHandler(ASGIHandler):
    """Django's ASGI application over `THREADS` persistent threads."""

    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)
        threads = ThreadPoolExecutor(THREADS, thread_name_prefix="request")
        self._run = sync_to_async(self._respond, thread_sensitive=False, executor=threads)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        try:
            response = await self._run(scope, body)
            if response.streaming:
                await self._stream(response, receive, send)
            else:
                await self.send_response(response, send)
        finally:
            body.close()

    def _respond(self, scope: dict[str, Any], body: IO[bytes]) -> Any:
        """Compute the response. Close it unless it streams, so that the connection is released before it is sent."""
        set_script_prefix(get_script_prefix(scope))
        request_started.send(sender=self.__class__, scope=scope)
        request, error_response = self.create_request(scope, body)
        response: Any = error_response if request is None else self.get_response(request)
        if response.streaming:
            close_old_connections()
        else:
            response.close()
        return response

    async def _stream(self, response: Any, receive: Receive, send: Send) -> None:
        """Send until the end or until the client disconnects. Sync work of the stream shares one dedicated thread."""
        async with ThreadSensitiveContext():
            send_task = asyncio.create_task(self.send_response(response, send))
            disconnect_task = asyncio.create_task(self.listen_for_disconnect(receive))
            try:
                await asyncio.wait([send_task, disconnect_task], return_when=asyncio.FIRST_COMPLETED)
                if send_task.done():
                    send_task.result()
            finally:
                send_task.cancel()
                disconnect_task.cancel()
                await asyncio.gather(send_task, disconnect_task, return_exceptions=True)
                await sync_to_async(response.close)()
