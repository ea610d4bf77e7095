"""A pause after a failure of a service."""

from __future__ import annotations

import time


class Pause:
    """A back-off of fixed length: while it is active, the caller does without the service.

    >>> pause = Pause(seconds=60)
    >>> pause.is_active()
    False
    >>> pause.begin()
    >>> pause.is_active()
    True
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._until = 0.0

    def begin(self) -> None:
        self._until = time.monotonic() + self.seconds

    def is_active(self) -> bool:
        return time.monotonic() < self._until
