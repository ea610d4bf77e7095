"""Identifiers that sort by creation time: UUID version 7 (RFC 9562 §5.7), which Python 3.11 lacks."""

from __future__ import annotations

import os
import threading
import time
from uuid import UUID

_VERSION_7 = 0x7 << 76
_VARIANT = 0b10 << 62
_BITS_12, _BITS_61 = (1 << 12) - 1, (1 << 61) - 1
_lock = threading.Lock()
_last = 0


def uuid7() -> UUID:
    """Return a new identifier: 48 bits of milliseconds since 1970, then randomness; monotonic within a process."""
    return uuid7s(1)[0]


def uuid7s(count: int) -> list[UUID]:
    """Return `count` consecutive identifiers, for the rows of one statement."""
    global _last  # noqa: PLW0603  # the state makes ids monotonic within the process
    with _lock:
        first = max(_fresh(), _last + 1)
        _last = first + count - 1
    return [UUID(int=number) for number in range(first, first + count)]


def _fresh() -> int:
    """Return random bits with the top bit free, so that increments never overflow into the variant."""
    milliseconds = time.time_ns() // 1_000_000
    noise = int.from_bytes(os.urandom(10))
    return milliseconds << 80 | _VERSION_7 | (noise & _BITS_12) << 64 | _VARIANT | (noise >> 12 & _BITS_61)


def is_id(text: str) -> bool:
    """Whether a text is an id as it is written everywhere.

    >>> is_id("0199c0de-0000-7000-8000-000000000000"), is_id("0199C0DE-0000-7000-8000-000000000000"), is_id("event-7")
    (True, False, False)
    """
    return str(parse_id(text)) == text


def parse_id(text: str) -> UUID | None:
    """Read an id in any way that one is written; None if the text is none.

    >>> parse_id("0199C0DE-0000-7000-8000-000000000000"), parse_id("event-7")
    (UUID('0199c0de-0000-7000-8000-000000000000'), None)
    """
    try:
        return UUID(text)
    except ValueError:
        return None
