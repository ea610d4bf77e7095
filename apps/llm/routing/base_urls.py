"""Normalization and validation of provider addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import SplitResult, urlsplit

LONGEST_ADDRESS = 300
_PORTS = {"http": 80, "https": 443}
_UNSAFE_SEGMENT = re.compile(r"/\.{0,2}(?=/|$)")


def clean_address(text: str) -> str:
    """Normalize an address; raises `ValueError` with the problem, but without the address, which may contain a key.

    >>> clean_address(" HTTPS://Models.Example.org:443/v1/ ")
    'https://models.example.org/v1'
    """
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError:
        raise ValueError("It is not a valid URL.") from None
    if problem := _problem(text.strip(), parts):
        raise ValueError(problem)
    host = f"[{parts.hostname}]" if ":" in str(parts.hostname) else str(parts.hostname)
    authority = host if port in (None, _PORTS[parts.scheme]) else f"{host}:{port}"
    return f"{parts.scheme}://{authority}{parts.path.rstrip('/')}"


def is_under(address: str, bases: Iterable[str]) -> bool:
    """Whether a base equals the address or is a prefix of it, by whole path segments; all must be normalized.

    >>> is_under("http://127.0.0.1:8000/v1", ["http://127.0.0.1:8000"])
    True
    >>> is_under("http://127.0.0.1:80001", ["http://127.0.0.1:8000"])
    False
    """
    return any(f"{address}/".startswith(f"{base}/") for base in bases)


def _problem(text: str, parts: SplitResult) -> str:
    """The problem with an address, or an empty string. Paths that could escape their base are rejected."""
    if parts.scheme not in _PORTS or not parts.hostname:
        return "It must begin with http:// or https:// and name a host."
    if "@" in parts.netloc:
        return "It must not contain a user name or password."
    if "?" in text or "#" in text:
        return "It must end with its path."
    if len(text) > LONGEST_ADDRESS or not text.isascii() or not text.isprintable() or set(text) & set(" \\%;"):
        return "It must be plain ASCII, without spaces and escapes, and at most 300 characters long."
    if _UNSAFE_SEGMENT.search(parts.path.rstrip("/")):
        return "Its path must not have empty or dot segments."
    return ""
