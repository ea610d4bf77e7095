"""Timeouts and intervals of sockets, in seconds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LiveTimes:
    """`heartbeat_s`: interval of access checks and version frames; `health_s`: minimum interval of health frames.

    After `silence_s` without a message, Redis is pinged and must answer within `answer_s`.
    """

    authenticate_s: float = 5
    heartbeat_s: float = 30
    health_s: float = 0.25
    resync_within_s: float = 2
    close_s: float = 5
    silence_s: float = 15
    answer_s: float = 5


LIVE_TIMES = LiveTimes()
