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
PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()"
    for feature in (
        *("accelerometer", "camera", "clipboard-read", "display-capture", "geolocation", "gyroscope", "hid"),
        *("magnetometer", "microphone", "midi", "payment", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking"),
    )
)
"""No page uses any of these; the clipboard is only written to."""
_API_POLICY = "default-src 'none'; frame-ancestors 'none'"
# Styles stand in the console's documents, scripts do not. The expressions in its templates are parsed by a build of
# Alpine that evaluates nothing.
_CONSOLE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
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
    response["Permissions-Policy"] = PERMISSIONS_POLICY
    response["X-Request-Id"] = request.request_id  # type: ignore[attr-defined]  # set when the request came in
    if request.path.startswith(("/api", "/healthz", "/readyz")):
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers.setdefault("Content-Security-Policy", _API_POLICY)
    elif request.path.startswith("/admin"):
        response.headers.setdefault("Content-Security-Policy", _CONSOLE_POLICY)
    return response
