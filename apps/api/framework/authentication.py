"""Authentication: API keys for programs, browser sessions for people."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.request import Request

from apps.accounts.records import KeyHolder, UserRecord
from apps.accounts.services.keys import api_key_authenticate


class ApiKeyAuthentication(BaseAuthentication):
    """`Authorization: Bearer ck_…` or `X-Api-Key: ck_…`. A key that was sent is used or refused, never passed over."""

    def authenticate(self, request: Request) -> tuple[UserRecord, KeyHolder] | None:
        secret = _sent_key(request)
        if secret is None:
            return None
        holder = api_key_authenticate(secret)
        return holder.user, holder

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="continuity"'


class BrowserAuthentication(SessionAuthentication):
    """The session cookie; whatever changes something must also carry the CSRF token."""

    def authenticate(self, request: Request) -> tuple[AbstractBaseUser, Any] | None:
        user: AbstractBaseUser | None = getattr(request._request, "user", None)
        if user is None or not user.is_authenticated or not user.is_active:
            return None
        # Django's request: the framework's would parse the body, which may be a file, in search of a form field.
        self.enforce_csrf(request._request)  # type: ignore[arg-type]  # CSRF checks are Django's
        return user, None


def _sent_key(request: Request) -> str | None:
    """Ignore other schemes: a proxy in front may use basic authentication of its own."""
    scheme, _, secret = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    if scheme.lower() == "bearer":
        return str(secret).strip()
    sent: Any = request.META.get("HTTP_X_API_KEY")
    return None if sent is None else str(sent)
