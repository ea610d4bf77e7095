"""Authentication: API keys for programs, also for the users of an application, and browser sessions for people."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.request import Request

from apps.accounts.records import KeyHolder, UserRecord
from apps.accounts.services.end_users import end_user_holder
from apps.accounts.services.keys import api_key_authenticate
from apps.api.framework.requests import ApiRequest
from apps.common.errors import Forbidden, Invalid

END_USER = "Continuity-User"
END_USER_FIELD = "user"
"""In place of the header, in a JSON body."""
MEMORY_END_USER_FIELDS = (END_USER_FIELD, "user_id")
"""Other memory servers name the field so."""


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


def act_for_end_user(request: ApiRequest, fields: Collection[str]) -> None:
    """Let a key act for the user of its application whom the header or, without it, one of the body's fields names."""
    named = _sent_end_user(request)
    holder = request.key_holder
    if holder is None:
        if named is not None and request.user is not None:
            raise Forbidden("Only API keys can act for the users of an application.", code="cannot_act_for_users")
        return
    if named is None and holder.actor.awaits_end_user:
        named = _end_user_in_body(request, fields)
    if named is not None:
        _sign_in(request, end_user_holder(holder, named))


def _sign_in(request: ApiRequest, holder: KeyHolder) -> None:
    user: Any = holder.user
    request.user, request.auth = user, holder


def _end_user_in_body(request: ApiRequest, fields: Collection[str]) -> str | None:
    """Take the name out of a JSON body: the rest is what the view reads."""
    if not str(request.content_type).startswith("application/json"):
        return None
    body: Any = request.data
    sent = [body.pop(field) for field in fields if field in body]
    if any(not isinstance(one, str) for one in sent) or len(set(sent)) > 1:
        raise Invalid("The body must name one end user, by a text.", code="invalid_end_user")
    return sent[0] if sent else None


def _sent_end_user(request: ApiRequest) -> str | None:
    """The header's value: servers read headers as Latin-1, and programs send them in UTF-8."""
    text: Any = request.META.get("HTTP_CONTINUITY_USER")
    try:
        return None if text is None else str(text).encode("latin-1").decode().strip()
    except UnicodeError:
        return str(text).strip()


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
