"""Django behind ASGI with its middleware on one thread: a request goes there once, not once for each of them.

Django's own handler sends both halves of each to the request's thread and back: a dozen times for a turn, while others
stream. Answers are streamed by the event loop all the same; what runs on the thread only makes them.
"""

from __future__ import annotations

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.core.handlers.base import BaseHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class OneThreadHandler(ASGIHandler):
    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """The whole of it where the request's connection to the database is."""
        response: HttpResponseBase = await sync_to_async(self.get_response, thread_sensitive=True)(request)
        return response
