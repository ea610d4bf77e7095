"""Identifiers that sort by time of birth: UUID version 7 (RFC 9562 §5.7), which Python 3.11 does not make."""

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
    """A new identifier: 48 bits of milliseconds since 1970, then randomness; within a process each is the largest."""
    return uuid7s(1)[0]


def uuid7s(count: int) -> list[UUID]:
    """So many of them at once, which follow one another: for the rows of one statement."""
    global _last  # noqa: PLW0603  # the order of one process is what the state is for
    with _lock:
        first = max(_fresh(), _last + 1)
        _last = first + count - 1
    return [UUID(int=number) for number in range(first, first + count)]


def _fresh() -> int:
    """The top bit of the randomness stays free, so that counting on never reaches the bits of the variant."""
    milliseconds = time.time_ns() // 1_000_000
    noise = int.from_bytes(os.urandom(10))
    return milliseconds << 80 | _VERSION_7 | (noise & _BITS_12) << 64 | _VARIANT | (noise >> 12 & _BITS_61)
