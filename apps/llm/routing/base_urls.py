"""Addresses of models: how they are written, and which of them a workspace may name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import SplitResult, urlsplit

LONGEST_ADDRESS = 300
_PORTS = {"http": 80, "https": 443}
_STRANGE_STEP = re.compile(r"/\.{0,2}(?=/|$)")


def clean_address(text: str) -> str:
    """The address in its one form; raises `ValueError` with what is wrong, without the address, which may hold a key.

    >>> clean_address(" HTTPS://Models.Example.org:443/v1/ ")
    'https://models.example.org/v1'
    """
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError:
        raise ValueError("It is not an address.") from None
    if problem := _problem(text.strip(), parts):
        raise ValueError(problem)
    host = f"[{parts.hostname}]" if ":" in str(parts.hostname) else str(parts.hostname)
    place = host if port in (None, _PORTS[parts.scheme]) else f"{host}:{port}"
    return f"{parts.scheme}://{place}{parts.path.rstrip('/')}"


def is_under(address: str, bases: Iterable[str]) -> bool:
    """Whether one of the bases is the address or a beginning of it, by whole steps of its path; all of them clean.

    >>> is_under("http://127.0.0.1:8000/v1", ["http://127.0.0.1:8000"])
    True
    >>> is_under("http://127.0.0.1:80001", ["http://127.0.0.1:8000"])
    False
    """
    return any(f"{address}/".startswith(f"{base}/") for base in bases)


def _problem(text: str, parts: SplitResult) -> str:
    """A path is refused that could lead out of where it seems to lead."""
    if parts.scheme not in _PORTS or not parts.hostname:
        return "It must begin with http:// or https:// and name a host."
    if "@" in parts.netloc:
        return "It must hold no name and no password."
    if "?" in text or "#" in text:
        return "It must end with its path."
    if len(text) > LONGEST_ADDRESS or not text.isascii() or not text.isprintable() or set(text) & set(" \\%;"):
        return "It must be plain, without blanks and escapes, and at most 300 characters long."
    if _STRANGE_STEP.search(parts.path.rstrip("/")):
        return "Its path must have no empty steps and no dots for steps."
    return ""
