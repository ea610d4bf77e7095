"""How often one may ask: per key, per person, per address; and far less often where passwords are tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from apps.api.conventions.requests import ApiRequest
from apps.api.conventions.token_bucket import Rate, Taken, token_buckets

if TYPE_CHECKING:
    from rest_framework.views import APIView  # loads the default classes, which are these


class TokenBucketThrottle(BaseThrottle):
    """A view may name its own rate in `rate`, which then counts by address."""

    taken: Taken | None = None

    def allow_request(self, request: Request, view: APIView) -> bool:
        name, whose = _bucket_of(request, getattr(view, "rate", None))
        self.taken = token_buckets().take(_rate(name), whose)
        request._request.rate_taken = self.taken  # type: ignore[attr-defined]  # read when the answer is finished
        return self.taken is None or self.taken.allowed

    def wait(self) -> float | None:
        return self.taken.retry_after_s if self.taken else None


def rate_headers(request: Request, response: Response) -> None:
    """Tell what is left, after draft-ietf-httpapi-ratelimit-headers."""
    taken: Taken | None = getattr(request._request, "rate_taken", None)
    if taken is not None:
        rate = taken.rate
        response["RateLimit-Policy"] = f'"{rate.name}";q={rate.capacity};w={rate.window_s}'
        response["RateLimit"] = f'"{rate.name}";r={taken.remaining};t={taken.full_again_s}'


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
