"""The page's files, answered in front of Django: scripts, styles, fonts, pictures.

A name below /assets/ changes with the content, so browsers cache such files forever. Texts are sent compressed; that is
done once, in a thread, because no stream should wait for it.
"""

from __future__ import annotations

import asyncio
import gzip
import re
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.http.request import split_domain_port, validate_host
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope

from apps.api.framework.middleware import PERMISSIONS_POLICY

# Of Django's own use.
MANIFEST = "/staticfiles.json"
_HASHED = re.compile(r"/assets/\w[\w.-]*", re.ASCII)
_NAMED = re.compile(r"/\w[\w-]*\.(?:svg|png|ico|txt|webmanifest)", re.ASCII)
_FOR_EVER = "public, max-age=31536000, immutable"
_FOR_AN_HOUR = "public, max-age=3600"
_TEXTS = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
}
HARDENED = {"X-Content-Type-Options": "nosniff", "Permissions-Policy": PERMISSIONS_POLICY}
"""Headers of every file."""
_OTHERS = {".woff2": "font/woff2", ".png": "image/png", ".ico": "image/x-icon", ".webp": "image/webp"}
_TYPES = _TEXTS | _OTHERS


def is_allowed_host(scope: Scope) -> bool:
    """Return whether the request names a host that this server answers for."""
    name, _ = split_domain_port(Headers(scope=scope).get("host", ""))
    return bool(name) and validate_host(name, settings.ALLOWED_HOSTS)


class PageFiles:
    """The files of one build, in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def answer(self, scope: Scope) -> Response | None:
        """The file at this address; None where there is none."""
        path: str = scope["path"]
        hashed = _HASHED.fullmatch(path)
        if (
            scope["method"] not in {"GET", "HEAD"}
            or not (hashed or _NAMED.fullmatch(path))
            or not is_allowed_host(scope)
        ):
            return None
        file = self._folder / path[1:]
        if file.suffix not in _TYPES:
            return None
        zipped = file.suffix in _TEXTS and _takes_gzip(scope)
        try:
            content = await asyncio.to_thread(_zipped if zipped else _plain, file, file.stat().st_mtime_ns)
        except OSError:
            return None
        return Response(content, headers=_headers(file, zipped, _FOR_EVER if hashed else _FOR_AN_HOUR))


def _headers(file: Path, zipped: bool, caching: str) -> dict[str, str]:
    headers = {"Content-Type": _TYPES[file.suffix], "Cache-Control": caching, **HARDENED}
    if file.suffix in _TEXTS:
        headers["Content-Type"] += "; charset=utf-8"
        headers["Vary"] = "Accept-Encoding"
    if zipped:
        headers["Content-Encoding"] = "gzip"
    return headers


def _takes_gzip(scope: Scope) -> bool:
    offered = Headers(scope=scope).get("accept-encoding", "")
    return re.search(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))", offered) is not None


def _plain(file: Path, _: int) -> bytes:
    return file.read_bytes()


@lru_cache(maxsize=256)
def _zipped(file: Path, _: int) -> bytes:
    """Cached until the file changes."""
    return gzip.compress(file.read_bytes(), compresslevel=9, mtime=0)
