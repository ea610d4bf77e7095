"""Authentication: API keys for programs, also for the users of an application, and browser sessions for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.request import Request

from apps.accounts.records import KeyHolder, UserRecord
from apps.accounts.services.end_users import end_user_ensure
from apps.accounts.services.keys import api_key_authenticate
from apps.api.framework.requests import ApiRequest
from apps.common.errors import Forbidden, Invalid

END_USER_HEADER = "Continuity-User"
_END_USER_FIELDS = ("user", "user_id")
"""In a JSON body, in place of the header; other memory servers call it `user_id`."""
_JSON = "application/json"


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


def act_for_end_user(request: ApiRequest, *, reads_body: bool) -> bool:
    """Let a key act for the user of its application whom the header or the body names; return whether it does."""
    named, holder = _end_user_in_header(request), request.key_holder
    if holder is None:
        if named is not None and request.user is not None:
            raise Forbidden("Only API keys can act for the users of an application.", code="cannot_act_for_users")
        return False
    if reads_body and holder.actor.awaits_end_user:
        named = _same([named, *_end_users_in_body(request)])
    if named is not None:
        _sign_in(request, end_user_ensure(holder, named))
    return named is not None


def _sign_in(request: ApiRequest, holder: KeyHolder) -> None:
    user: Any = holder.user
    request.user, request.auth = user, holder


def _end_users_in_body(request: ApiRequest) -> list[str]:
    """Take the names out of a JSON body: the rest is what the view reads."""
    if str(request.content_type).partition(";")[0].strip().lower() != _JSON:
        return []
    body: Any = request.data
    fields = [field for field in _END_USER_FIELDS if field in body]
    names = [body.pop(field) for field in fields]
    # A text that was cleaned is not the one that was sent: it could be another person's id.
    if any(f"/{field}" in request.text_changes for field in fields) or not all(isinstance(one, str) for one in names):
        raise Invalid("The body must name one end user, by a visible text.", code="invalid_end_user")
    return names


def _same(names: Sequence[str | None]) -> str | None:
    named = {name for name in names if name is not None}
    if len(named) > 1:
        raise Invalid("The request names several end users.", code="invalid_end_user")
    return next(iter(named), None)


def _end_user_in_header(request: ApiRequest) -> str | None:
    """The header's value: servers read headers as Latin-1, and programs send them in UTF-8."""
    text: Any = request.META.get("HTTP_CONTINUITY_USER")
    try:
        return None if text is None else str(text).encode("latin-1").decode().strip(" \t")
    except UnicodeError:
        return str(text).strip(" \t")


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
