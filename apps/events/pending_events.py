"""Events that could not be published during a Redis outage, condensed until they can be.

For a conversation only the newest version is stored: clients that receive it fetch the state. Personal events are
stored as they are. Entries expire after a minute, because by then every socket has rechecked its versions.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from threading import Lock

MAX_PENDING = 10_000
_WORTH_S = 60.0


@dataclass(frozen=True, slots=True)
class PendingEvent:
    """A message that replaces a lost one. Of versioned messages, only the newest of a channel is stored."""

    channel: str
    message: bytes
    version: int | None = None
    until: float = field(default_factory=lambda: time.monotonic() + _WORTH_S)

    @property
    def key(self) -> str | bytes:
        return self.message if self.version is None else self.channel

    def replaces(self, other: PendingEvent | None) -> bool:
        return other is None or (self.version or 0) > (other.version or 0)


class PendingEvents:
    """Thread-safe, bounded store of pending events; sockets recover dropped ones with their version checks."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._events: dict[str | bytes, PendingEvent] = {}

    def __len__(self) -> int:
        return len(self._events)

    def add(self, event: PendingEvent) -> None:
        with self._lock:
            has_space = event.key in self._events or len(self._events) < MAX_PENDING
            if has_space and event.replaces(self._events.get(event.key)):
                self._events[event.key] = event

    def take(self) -> PendingEvent | None:
        """Remove and return one that has not expired; the caller adds it back if publishing fails."""
        with self._lock:
            while self._events:
                _, event = self._events.popitem()
                if event.until > time.monotonic():
                    return event
        return None
