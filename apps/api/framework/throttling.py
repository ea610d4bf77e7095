"""Rate limits per API key, user or IP address: token buckets in Redis, updated atomically.

The limits fail open: while Redis does not answer, every request is allowed and one warning is logged.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import redis
import structlog
from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from apps.api.framework.requests import ApiRequest
from apps.common.pause import Pause

if TYPE_CHECKING:
    from rest_framework.views import APIView  # loads the default classes, which are these

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
_TIMEOUT_S = 0.25
_PAUSE_S = 5.0
_log = structlog.get_logger("continuity.api")


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
        self._pause = Pause(_PAUSE_S)
        self._is_failing = False

    def take(self, rate: Rate, owner: str) -> RateLimitResult | None:
        """Take one token; return None while Redis does not answer."""
        if self._pause.is_active():
            return None
        try:
            answer: Any = self._take(keys=[f"rate:{rate.name}:{owner}"], args=[rate.capacity, rate.window_s])
        except redis.RedisError as error:
            self._failed(error)
            return None
        self._is_failing = False
        return _result(rate, bool(answer[0]), float(answer[1]))

    def _failed(self, error: Exception) -> None:
        self._pause.begin()
        if not self._is_failing:
            _log.warning("rate limits are off: Redis does not answer", error=str(error))
        self._is_failing = True


@cache
def token_buckets() -> TokenBuckets:
    return TokenBuckets(settings.REDIS_URL)


class TokenBucketThrottle(BaseThrottle):
    """Throttle requests. A view may set `rate` to use its own rate, which is counted by IP address."""

    result: RateLimitResult | None = None

    def allow_request(self, request: Request, view: APIView) -> bool:
        name, owner = _bucket_of(request, getattr(view, "rate", None))
        self.result = token_buckets().take(_rate(name), owner)
        request._request.rate_limit_result = self.result  # type: ignore[attr-defined]  # read when the response is finalized
        return self.result is None or self.result.allowed

    def wait(self) -> float | None:
        return self.result.retry_after_s if self.result else None


def rate_headers(request: Request, response: Response) -> None:
    """Set the headers of draft-ietf-httpapi-ratelimit-headers."""
    result: RateLimitResult | None = getattr(request._request, "rate_limit_result", None)
    if result is not None:
        rate = result.rate
        response["RateLimit-Policy"] = f'"{rate.name}";q={rate.capacity};w={rate.window_s}'
        response["RateLimit"] = f'"{rate.name}";r={result.remaining};t={result.full_again_s}'


def _rate(name: str) -> Rate:
    capacity, window_s = settings.RATE_LIMITS[name]
    return Rate(name, capacity, window_s)


def _bucket_of(request: Request, rate: str | None) -> tuple[str, str]:
    address = str(request.META.get("REMOTE_ADDR") or "local")
    if rate is not None:
        return rate, address
    holder = request.key_holder if isinstance(request, ApiRequest) else None
    if holder is not None:
        return "key", str(holder.actor.key_id)
    return ("person", str(request.user.pk)) if request.user is not None else ("address", address)


def _result(rate: Rate, allowed: bool, tokens: float) -> RateLimitResult:
    per_token = rate.window_s / rate.capacity
    return RateLimitResult(
        rate=rate,
        allowed=allowed,
        remaining=int(tokens),
        retry_after_s=max(1, math.ceil((1 - tokens) * per_token)),
        full_again_s=math.ceil((rate.capacity - tokens) * per_token),
    )
