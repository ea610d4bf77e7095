"""Outermost middleware: assign a request id, unify the path, and set the security headers on every response."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import Any

import structlog
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from apps.api.framework.paths import canonical_path
from apps.common.ids import uuid7

_SANE = re.compile(r"[A-Za-z0-9._:-]{8,128}")
_API_POLICY = "default-src 'none'; frame-ancestors 'none'"
# The console's templates have scripts and styles in the document, and its framework evaluates attributes.
_CONSOLE_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)


@sync_and_async_middleware
def edge(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    if iscoroutinefunction(get_response):
        return _asynchronous(get_response)
    return _synchronous(get_response)


def _asynchronous(get_response: Callable[[HttpRequest], Awaitable[HttpResponseBase]]) -> Callable[[HttpRequest], Any]:
    async def middleware(request: HttpRequest) -> HttpResponseBase:
        with structlog.contextvars.bound_contextvars(request_id=_prepare(request)):
            return _finished(request, await get_response(request))

    return middleware


def _synchronous(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    def middleware(request: HttpRequest) -> HttpResponseBase:
        with structlog.contextvars.bound_contextvars(request_id=_prepare(request)):
            return _finished(request, get_response(request))

    return middleware


def _prepare(request: HttpRequest) -> str:
    """Unify the path, and return the client's request id if it is safe to log, else a new one."""
    request.path_info = canonical_path(request.path_info)
    sent = request.META.get("HTTP_X_REQUEST_ID", "")
    request.request_id = sent if _SANE.fullmatch(sent) else uuid7().hex  # type: ignore[attr-defined]  # ours
    return str(request.request_id)  # type: ignore[attr-defined]  # set above


def _finished(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    response["X-Request-Id"] = request.request_id  # type: ignore[attr-defined]  # set when the request came in
    if request.path.startswith(("/api", "/healthz", "/readyz")):
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers.setdefault("Content-Security-Policy", _API_POLICY)
    elif request.path.startswith("/admin"):
        response.headers.setdefault("Content-Security-Policy", _CONSOLE_POLICY)
    return response
