"""Origin check of sockets with a session cookie, which browsers send for pages of any origin."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http.cookie import parse_cookie
from django.http.request import split_domain_port, validate_host

Scope = dict[str, Any]


def is_own_origin(scope: Scope) -> bool:
    """Return whether the Origin is trusted or equals the requested host; a missing Origin is rejected."""
    origin = _header(scope, b"origin")
    if origin is None or origin == "null":
        return False
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    try:
        named = urlsplit(origin)
    except ValueError:
        return False
    domain, _ = split_domain_port(named.netloc)
    own = named.netloc == _header(scope, b"host")
    return named.scheme in ("http", "https") and own and validate_host(domain, settings.ALLOWED_HOSTS)


def session_cookie(scope: Scope) -> str | None:
    return parse_cookie(_header(scope, b"cookie") or "").get(settings.SESSION_COOKIE_NAME) or None


def _header(scope: Scope, name: bytes) -> str | None:
    values = [value for key, value in scope["headers"] if key == name]
    return values[0].decode("latin-1") if len(values) == 1 else None
