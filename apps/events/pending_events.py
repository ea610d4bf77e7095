"""What could not be told while Redis was away, kept short until somebody can tell it.

Of a conversation only its newest version is kept: clients that hear of it fetch the state. What was for one person
alone is kept as it is. After a minute nothing is owed any more, for by then every socket has asked by itself.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from threading import Lock

MOST_OWED = 10_000
_WORTH_S = 60.0


@dataclass(frozen=True, slots=True)
class PendingEvent:
    """A message that stands in for a lost one. Of one channel's with a version only the newest is kept."""

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
    """The hints of a process, for any of its threads. Beyond so many the rest is left to the sockets' own asking."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._hints: dict[str | bytes, PendingEvent] = {}

    def __len__(self) -> int:
        return len(self._hints)

    def add(self, hint: PendingEvent) -> None:
        with self._lock:
            room = hint.key in self._hints or len(self._hints) < MOST_OWED
            if room and hint.replaces(self._hints.get(hint.key)):
                self._hints[hint.key] = hint

    def take(self) -> PendingEvent | None:
        """One that is still worth telling; whoever cannot tell it adds it again."""
        with self._lock:
            while self._hints:
                _, hint = self._hints.popitem()
                if hint.until > time.monotonic():
                    return hint
        return None
