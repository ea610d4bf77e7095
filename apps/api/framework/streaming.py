"""Streamed responses of text that is read from the database piece by piece."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from itertools import islice

from asgiref.sync import sync_to_async
from django.db import close_old_connections

_AT_ONCE = 200


async def streamed(pieces: Iterator[str], first: str = "") -> AsyncIterator[str]:
    """Yield `first`, then the pieces, some at a time."""
    text = first or await sync_to_async(_some)(pieces)
    while text:
        yield text
        text = await sync_to_async(_some)(pieces)


def _some(pieces: Iterator[str]) -> str:
    """Return the next batch; release the database connection between two reads."""
    try:
        return "".join(islice(pieces, _AT_ONCE))
    finally:
        close_old_connections()
