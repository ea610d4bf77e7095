"""ASGI entry point: serves static files and the web app; sockets go to Channels, the rest to Django."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.web")

import django
from django.conf import settings  # settings must be named first
from django.urls import resolve  # settings must be named first
from starlette.exceptions import HTTPException  # settings must be named first
from starlette.staticfiles import StaticFiles  # settings must be named first
from starlette.types import Message, Receive, Scope, Send  # settings must be named first

from apps.api.framework.body_limit import bounded_bodies  # settings must be named first
from apps.api.spa.static_files import HARDENED, MANIFEST, PageFiles, is_allowed_host  # settings must be named first
from config.gc_tuning import collect_less_often, freeze_loaded_objects  # settings must be named first
from config.thread_pool_asgi import ThreadPoolHandler  # settings must be named first

django.setup(set_prefix=False)
_django = bounded_bodies(ThreadPoolHandler())

from apps.realtime.application import live_application  # noqa: E402  # needs the app registry
from config.lifespan import lifespan  # noqa: E402  # as above

settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
_static = StaticFiles(directory=settings.STATIC_ROOT)
_HARDENED = [(name.lower().encode(), value.encode()) for name, value in HARDENED.items()]
_page_files = PageFiles(settings.PAGE_ROOT)

# Import all views before freezing.
resolve("/healthz")
freeze_loaded_objects()
collect_less_often()


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http" and scope["path"].startswith(settings.STATIC_URL):
        await _static_file(scope, receive, send)
    elif scope["type"] == "http":
        await (await _page_files.answer(scope) or _django)(scope, receive, send)
    elif scope["type"] == "websocket":
        await live_application(scope, receive, send)
    elif scope["type"] == "lifespan":
        await lifespan(receive, send)


async def _static_file(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve a static file. Django answers for a missing one and for a wrong host, as for any other URL."""
    path = scope["path"].removeprefix(settings.STATIC_URL.rstrip("/"))
    if path == MANIFEST or not is_allowed_host(scope):
        await _django(scope, receive, send)
        return

    async def send_hardened(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *_HARDENED]
        await send(message)

    try:
        await _static({**scope, "path": path}, receive, send_hardened)
    except HTTPException:
        await _django(scope, receive, send)
