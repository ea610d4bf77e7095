"""Middleware: a readable cookie that tells the web app that there is a session, whose own cookie scripts cannot read.

Without it the app does not request `/api/me`. It grants nothing, is set and deleted with the session's cookie whichever
view does that, and is deleted if that one is missing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

NAME = "signed_in"

Handler = Callable[[HttpRequest], HttpResponseBase]
AsyncHandler = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def signed_in_cookie(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    return _async(get_response) if iscoroutinefunction(get_response) else _sync(get_response)


def _sync(get_response: Handler) -> Handler:
    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        _follow_session(request, response)
        return response

    return middleware


def _async(get_response: AsyncHandler) -> AsyncHandler:
    async def middleware(request: HttpRequest) -> HttpResponseBase:
        response = await get_response(request)
        _follow_session(request, response)
        return response

    return middleware


def _follow_session(request: HttpRequest, response: HttpResponseBase) -> None:
    session = response.cookies.get(settings.SESSION_COOKIE_NAME)
    is_left_over = NAME in request.COOKIES and settings.SESSION_COOKIE_NAME not in request.COOKIES
    if session is not None and session.value:
        response.set_cookie(
            NAME,
            "1",
            max_age=session["max-age"] or None,
            secure=settings.SESSION_COOKIE_SECURE,
            samesite="Lax",
        )
    elif session is not None or is_left_over:
        response.delete_cookie(NAME, samesite="Lax")
