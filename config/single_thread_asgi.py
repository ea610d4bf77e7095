"""Django behind ASGI on a few threads that stay: a request is answered whole on one of them, in one visit.

Django's own handler starts a thread for each request, goes to it and back for every signal, for both halves of each
middleware and for the end, and makes a new connection object there. That took longer than most answers. Here the event
loop only reads bodies and sends answers; streams run on it, after the thread has made them.
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

# Requests may wait for a provider or for a lock: more of them than there are connections in the pool. A thread is
# started only where all others are busy.
THREADS = 16

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class ThreadPoolHandler(ASGIHandler):
    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)
        threads = ThreadPoolExecutor(THREADS, thread_name_prefix="request")
        self._answer = sync_to_async(self._respond, thread_sensitive=False, executor=threads)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        try:
            response = await self._answer(scope, body)
            if response.streaming:
                await self._stream(response, receive, send)
            else:
                await self.send_response(response, send)
        finally:
            body.close()

    def _respond(self, scope: dict[str, Any], body: IO[bytes]) -> Any:
        """The whole answer, closed unless it is a stream: its thread's connection is free again before it is sent."""
        set_script_prefix(get_script_prefix(scope))
        request_started.send(sender=self.__class__, scope=scope)
        request, refusal = self.create_request(scope, body)
        response: Any = refusal if request is None else self.get_response(request)
        if response.streaming:
            close_old_connections()
        else:
            response.close()
        return response

    async def _stream(self, response: Any, receive: Receive, send: Send) -> None:
        """Until its end, or until the client goes away. Work that it gives to threads has one thread of its own."""
        async with ThreadSensitiveContext():
            sending = asyncio.create_task(self.send_response(response, send))
            leaving = asyncio.create_task(self.listen_for_disconnect(receive))
            try:
                await asyncio.wait([sending, leaving], return_when=asyncio.FIRST_COMPLETED)
                if sending.done():
                    sending.result()
            finally:
                sending.cancel()
                leaving.cancel()
                await asyncio.gather(sending, leaving, return_exceptions=True)
                await sync_to_async(response.close)()
