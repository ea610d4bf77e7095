"""The ASGI entry: static and page files are answered in front of Django, sockets beside it, everything else by it."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.web")

import django
from django.conf import settings  # settings must be named first
from django.urls import resolve  # settings must be named first
from starlette.exceptions import HTTPException  # settings must be named first
from starlette.staticfiles import StaticFiles  # settings must be named first
from starlette.types import Receive, Scope, Send  # settings must be named first

from apps.api.framework.body_limit import bounded_bodies  # settings must be named first
from apps.api.spa.static_files import PageFiles  # settings must be named first
from config.gc_tuning import keep_what_is_loaded, look_less_often  # settings must be named first
from config.single_thread_asgi import ThreadPoolHandler  # settings must be named first

django.setup(set_prefix=False)
_django = bounded_bodies(ThreadPoolHandler())

from apps.realtime.application import live_application  # noqa: E402  # Django must have loaded the tables first
from config.lifespan import lifespan  # noqa: E402  # as above

settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
_static = StaticFiles(directory=settings.STATIC_ROOT)
_page_files = PageFiles(settings.PAGE_ROOT)

# With this all views are loaded.
resolve("/healthz")
keep_what_is_loaded()
look_less_often()


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
    """One that is not there is refused by Django, as every unknown address is."""
    try:
        await _static({**scope, "path": scope["path"].removeprefix(settings.STATIC_URL.rstrip("/"))}, receive, send)
    except HTTPException:
        await _django(scope, receive, send)
