"""Rate limits of requests per API key, user or IP address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from apps.api.framework.requests import ApiRequest
from apps.common.client_address import client_network
from apps.common.token_buckets import Rate, RateLimitResult, token_buckets

if TYPE_CHECKING:
    from rest_framework.views import APIView  # loads the default classes, which are these


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
    address = client_network(request.META)
    if rate is not None:
        return rate, address
    holder = request.key_holder if isinstance(request, ApiRequest) else None
    if holder is not None:
        actor = holder.actor
        return ("end_user", str(actor.user_id)) if actor.is_end_user else ("key", str(actor.key_id))
    return ("person", str(request.user.pk)) if request.user is not None else ("address", address)
