"""Limits of sign-in attempts: guessing is slow, and nobody can lock somebody else out.

The first attempt of an address at an account is always free. Further ones count for the address and the account
together, and for the account, which slows down guessing from many addresses. A browser that signed in before has a
limit of its own. Successful attempts are given back.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from apps.accounts.models import User
from apps.common.client_address import client_network
from apps.common.errors import ContinuityError
from apps.common.ids import uuid7
from apps.common.token_buckets import Rate, token_buckets

_PER_ADDRESS = Rate("sign_in_address", 10, 60)
_FIRST = Rate("sign_in_first", 1, 300)
_AGAIN = Rate("sign_in_again", 4, 300)
_PER_ACCOUNT = Rate("sign_in_account", 30, 300)
_PER_BROWSER = Rate("sign_in_browser", 10, 300)
_COOKIE = "continuity_browser"
_COOKIE_DAYS = 180


class TooManyAttempts(ContinuityError):
    status, code, title = 429, "rate_limited", "Too many requests"


@dataclass
class Attempt:
    """The tokens that an attempt took."""

    _taken: list[tuple[Rate, str]] = field(default_factory=list)

    def take(self, rate: Rate, owner: str) -> None:
        """Raises `TooManyAttempts` with the seconds to wait."""
        result = token_buckets().take(rate, owner)
        if result is not None and not result.allowed:
            wait = result.retry_after_s
            raise TooManyAttempts(f"Too many attempts. Try again in {wait} seconds.", extra={"retry_after": wait})
        self._taken.append((rate, owner))

    def refund(self) -> None:
        for rate, owner in self._taken:
            token_buckets().refund(rate, owner)


def attempt_begin(request: HttpRequest, *, email: str) -> Attempt:
    """Count an attempt to sign in to the account of this email address; raises `TooManyAttempts`."""
    attempt = Attempt()
    if browser := _known_browser(request, email):
        attempt.take(_PER_BROWSER, browser)
        return attempt
    network, account = client_network(request.META), _digest(email)
    attempt.take(_PER_ADDRESS, network)
    first = token_buckets().take(_FIRST, f"{account}:{network}")
    if first is not None and not first.allowed:
        attempt.take(_AGAIN, f"{account}:{network}")
        attempt.take(_PER_ACCOUNT, account)
    return attempt


def browser_remember(response: HttpResponseBase, *, user_id: UUID) -> None:
    """Mark the browser as one in which this person has signed in."""
    response.set_signed_cookie(
        _COOKIE,
        f"{user_id}:{uuid7().hex}",
        max_age=_COOKIE_DAYS * 24 * 3600,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _known_browser(request: HttpRequest, email: str) -> str:
    """Return the browser's id if the account's owner has signed in there; empty otherwise."""
    user_id, _, browser = (request.get_signed_cookie(_COOKIE, default="") or "").partition(":")
    if not browser or not User.objects.filter(pk=user_id, email=email).exists():
        return ""
    return browser


def _digest(email: str) -> str:
    return hashlib.sha256(email.encode()).hexdigest()[:32]
