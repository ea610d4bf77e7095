"""One table of times for all calls to models, in seconds. Who calls may shorten a call, never lengthen its silences."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelTimes:
    """A call gives up when no connection stands after `connect_s`, nothing came after `first_byte_s`, nothing more
    came for `idle_s`, or the whole took `total_s`; a reply that somebody reads as it comes may take `chat_total_s`. It
    is tried `attempts` times at most, and only while nothing of an answer has been handed on; it waits for a provider's
    wish (Retry-After) no longer than `longest_wait_s`. Where few may ask at a time it waits `turn_s` for its turn.
    """

    turn_s: float = 30
    connect_s: float = 5
    first_byte_s: float = 20
    idle_s: float = 30
    total_s: float = 60
    chat_total_s: float = 600
    attempts: int = 3
    retry_first_s: float = 0.5
    retry_factor: int = 3
    longest_wait_s: float = 5

    def limit_s(self, purpose: str, asked_s: float | None = None) -> float:
        """How long a call may take in all; who calls may ask for less.

        >>> [ModelTimes().limit_s(*asked) for asked in (("chat",), ("compaction",), ("compaction", 12), ("merge", 900))]
        [600, 60, 12, 60]
        """
        own_s = self.chat_total_s if purpose == "chat" else self.total_s
        return own_s if asked_s is None else min(own_s, asked_s)

    def wait_s(self, attempt: int, wished_s: float | None) -> float | None:
        """How long to wait after the `attempt`-th failure; None when it was the last or the provider asks for more.

        >>> [ModelTimes().wait_s(attempt, None) for attempt in (1, 2, 3)]
        [0.5, 1.5, None]
        >>> ModelTimes().wait_s(1, 2), ModelTimes().wait_s(1, 60)
        (2, None)
        """
        if attempt >= self.attempts or (wished_s or 0) > self.longest_wait_s:
            return None
        own_s: float = self.retry_first_s * self.retry_factor ** (attempt - 1)
        return max(own_s, wished_s or 0)


MODEL_TIMES = ModelTimes()
