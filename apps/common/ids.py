"""Identifiers that sort by time of birth: UUID version 7 (RFC 9562 §5.7), which Python 3.11 does not make."""

from __future__ import annotations

import secrets
import time
from uuid import UUID

_VERSION_7 = 0x7 << 76
_VARIANT = 0b10 << 62
_RANDOM_BITS = 74


def uuid7() -> UUID:
    """A new identifier: 48 bits of milliseconds since 1970, then randomness."""
    milliseconds = time.time_ns() // 1_000_000
    random = secrets.randbits(_RANDOM_BITS)
    high, low = random >> 62, random & ((1 << 62) - 1)
    return UUID(int=milliseconds << 80 | _VERSION_7 | high << 64 | _VARIANT | low)
