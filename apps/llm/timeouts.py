"""Timeouts and retry delays of all model calls, in seconds. Callers may shorten the total, nothing else."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelTimes:
    """A call fails if it has no connection after `connect_s`, no first byte after `first_byte_s`, no further byte for
    `idle_s`, or takes longer than `total_s` in all (`chat_total_s` for a streamed reply). It is attempted up to
    `attempts` times, as long as no text has been emitted, and honors a Retry-After up to `longest_wait_s`. If
    concurrency is limited, it waits up to `turn_s` for a slot.
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

    def limit_s(self, purpose: str, requested_s: float | None = None) -> float:
        """The total time limit of a call; callers may request less.

        >>> [ModelTimes().limit_s(*args) for args in (("chat",), ("compaction",), ("compaction", 12), ("merge", 900))]
        [600, 60, 12, 60]
        """
        own_s = self.chat_total_s if purpose == "chat" else self.total_s
        return own_s if requested_s is None else min(own_s, requested_s)

    def wait_s(self, attempt: int, retry_after_s: float | None) -> float | None:
        """The delay after the `attempt`-th failure; None after the last attempt or if Retry-After is too long.

        >>> [ModelTimes().wait_s(attempt, None) for attempt in (1, 2, 3)]
        [0.5, 1.5, None]
        >>> ModelTimes().wait_s(1, 2), ModelTimes().wait_s(1, 60)
        (2, None)
        """
        if attempt >= self.attempts or (retry_after_s or 0) > self.longest_wait_s:
            return None
        own_s: float = self.retry_first_s * self.retry_factor ** (attempt - 1)
        return max(own_s, retry_after_s or 0)


MODEL_TIMES = ModelTimes()
