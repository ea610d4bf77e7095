"""Token buckets in Redis, updated atomically: rate limits that all processes share.

The limits fail open: while Redis does not answer, everything is allowed and one warning is logged.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import redis
import structlog
from django.conf import settings

from apps.common.pause import Pause

_TAKE = """
local capacity, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local stored = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = tonumber(stored[1]) or capacity
local elapsed = math.max(0, now - (tonumber(stored[2]) or now))
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
# A bucket that has expired is full again.
_REFUND = """
if redis.call('EXISTS', KEYS[1]) == 1 then
    redis.call('HINCRBYFLOAT', KEYS[1], 'tokens', 1)
end
"""
_TIMEOUT_S = 0.25
_PAUSE_S = 5.0
_log = structlog.get_logger("continuity")


@dataclass(frozen=True, slots=True)
class Rate:
    """Allow `capacity` requests in `window_s` seconds."""

    name: str
    capacity: int
    window_s: int


@dataclass(frozen=True, slots=True)
class RateLimitResult:
    rate: Rate
    allowed: bool
    remaining: int
    retry_after_s: int
    full_again_s: int


class TokenBuckets:
    """Take tokens from buckets in Redis; pause after a failure, so that an outage does not slow requests down."""

    def __init__(self, url: str) -> None:
        client = redis.Redis.from_url(url, socket_timeout=_TIMEOUT_S, socket_connect_timeout=_TIMEOUT_S)
        self._take = client.register_script(_TAKE)
        self._refund = client.register_script(_REFUND)
        self._pause = Pause(_PAUSE_S)
        self._is_failing = False

    def take(self, rate: Rate, owner: str) -> RateLimitResult | None:
        """Take one token; return None while Redis does not answer."""
        if self._pause.is_active():
            return None
        try:
            answer: Any = self._take(keys=[_key(rate, owner)], args=[rate.capacity, rate.window_s])
        except redis.RedisError as error:
            self._failed(error)
            return None
        self._is_failing = False
        return _result(rate, bool(answer[0]), float(answer[1]))

    def refund(self, rate: Rate, owner: str) -> None:
        """Give a token back."""
        try:
            self._refund(keys=[_key(rate, owner)])
        except redis.RedisError as error:
            self._failed(error)

    def _failed(self, error: Exception) -> None:
        self._pause.begin()
        if not self._is_failing:
            _log.warning("rate limits are off: Redis is unreachable", error=str(error))
        self._is_failing = True


@cache
def token_buckets() -> TokenBuckets:
    return TokenBuckets(settings.REDIS_URL)


def _key(rate: Rate, owner: str) -> str:
    return f"rate:{rate.name}:{owner}"


def _result(rate: Rate, allowed: bool, tokens: float) -> RateLimitResult:
    per_token = rate.window_s / rate.capacity
    return RateLimitResult(
        rate=rate,
        allowed=allowed,
        remaining=int(tokens),
        retry_after_s=max(1, math.ceil((1 - tokens) * per_token)),
        full_again_s=math.ceil((rate.capacity - tokens) * per_token),
    )
