"""A token bucket in Redis, counted in one atomic step whatever the number of servers.

Redis is never in the way: where it does not answer, everything is allowed and the log says so once.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import cache
from typing import Any

import redis
import structlog
from django.conf import settings

_TAKE = """
local capacity, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local held = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = tonumber(held[1]) or capacity
local elapsed = math.max(0, now - (tonumber(held[2]) or now))
tokens = math.min(capacity, tokens + elapsed * capacity / window)
local allowed = 0
if tokens >= 1 then
    tokens = tokens - 1
    allowed = 1
end
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', tostring(now))
redis.call('EXPIRE', KEYS[1], math.ceil(window) + 1)
return {allowed, tostring(tokens)}
"""
_PATIENCE_S = 0.25
_REST_S = 5.0
_log = structlog.get_logger("continuity.api")


@dataclass(frozen=True, slots=True)
class Rate:
    """So many requests in so many seconds."""

    name: str
    capacity: int
    window_s: int


@dataclass(frozen=True, slots=True)
class Taken:
    rate: Rate
    allowed: bool
    remaining: int
    retry_after_s: int
    full_again_s: int


class TokenBuckets:
    """Rests for a few seconds after Redis failed, so that its absence costs requests nothing."""

    def __init__(self, url: str) -> None:
        client = redis.Redis.from_url(url, socket_timeout=_PATIENCE_S, socket_connect_timeout=_PATIENCE_S)
        self._take = client.register_script(_TAKE)
        self._rests_until = 0.0
        self._told = False

    def take(self, rate: Rate, whose: str) -> Taken | None:
        """None where nothing was counted."""
        if time.monotonic() < self._rests_until:
            return None
        try:
            answer: Any = self._take(keys=[f"rate:{rate.name}:{whose}"], args=[rate.capacity, rate.window_s])
        except redis.RedisError as error:
            self._rest(error)
            return None
        self._told = False
        return _taken(rate, bool(answer[0]), float(answer[1]))

    def _rest(self, error: Exception) -> None:
        self._rests_until = time.monotonic() + _REST_S
        if not self._told:
            _log.warning("rate limits are off: Redis does not answer", error=str(error))
        self._told = True


@cache
def token_buckets() -> TokenBuckets:
    return TokenBuckets(settings.REDIS_URL)


def _taken(rate: Rate, allowed: bool, tokens: float) -> Taken:
    per_token = rate.window_s / rate.capacity
    return Taken(
        rate=rate,
        allowed=allowed,
        remaining=int(tokens),
        retry_after_s=max(1, math.ceil((1 - tokens) * per_token)),
        full_again_s=math.ceil((rate.capacity - tokens) * per_token),
    )
