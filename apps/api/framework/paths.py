"""Spellings of an API path that mean the same: a trailing slash, and UUIDs in capitals."""

from __future__ import annotations

import re

_UUID = re.compile(r"(?<=/)[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?=/|$)")


def canonical_path(path: str) -> str:
    """Return the spelling that the URLs are defined by.

    >>> canonical_path("/api/pins/01890A5D-AC96-774B-BCCE-B302099A8057/")
    '/api/pins/01890a5d-ac96-774b-bcce-b302099a8057'
    """
    if not path.startswith("/api/"):
        return path
    return _UUID.sub(lambda uuid: uuid[0].lower(), path.removesuffix("/"))
