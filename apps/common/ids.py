"""Identifiers that sort by time of birth: UUID version 7 (RFC 9562 §5.7), which Python 3.11 does not make."""

from __future__ import annotations

import secrets
import threading
import time
from uuid import UUID

_VERSION_7 = 0x7 << 76
_VARIANT = 0b10 << 62
_lock = threading.Lock()
_last = 0


def uuid7() -> UUID:
    """A new identifier: 48 bits of milliseconds since 1970, then randomness; within a process each is the largest."""
    global _last  # noqa: PLW0603  # the order of one process is what the state is for
    with _lock:
        _last = max(_fresh(), _last + 1)
        return UUID(int=_last)


def _fresh() -> int:
    """The top bit of the randomness stays free, so that counting on never reaches the bits of the variant."""
    milliseconds = time.time_ns() // 1_000_000
    return milliseconds << 80 | _VERSION_7 | secrets.randbits(12) << 64 | _VARIANT | secrets.randbits(61)
