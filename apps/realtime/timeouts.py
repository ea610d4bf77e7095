"""How long sockets wait, in seconds, in one table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LiveTimes:
    """`beat_s` is how often access is checked again and versions are told; `health_s` parts two health frames.

    A Redis of which nothing was heard for `silence_s` is asked, and has `answer_s` to answer.
    """

    authenticate_s: float = 5
    beat_s: float = 30
    health_s: float = 0.25
    resync_within_s: float = 2
    close_s: float = 5
    silence_s: float = 15
    answer_s: float = 5


LIVE_TIMES = LiveTimes()
