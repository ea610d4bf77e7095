"""Whether the asker may: by what their key was given and by what their role allows."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from apps.accounts.actors import Actor, require_admin, require_write
from apps.api.conventions.requests import ApiRequest
from apps.common.errors import Forbidden

if TYPE_CHECKING:
    from rest_framework.views import APIView  # loads the default classes, which are these

READ, WRITE, ADMIN = "read", "write", "admin"


class InWorkspace(BasePermission):
    """Reads need the read scope, everything else the write scope, unless the view names another in `scope`."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        actor: Actor | None = getattr(request, "actor", None)
        if actor is None:
            return False
        require_scope(actor, getattr(view, "scope", None) or _scope_of(request))
        return True


class SignedIn(BasePermission):
    """Somebody, wherever they belong."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return request.user is not None


class InBrowser(BasePermission):
    """A person with their session: what concerns the whole account is not a key's to do."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if isinstance(request, ApiRequest) and request.key_holder is not None:
            raise Forbidden("An API key cannot do this; sign in.", code="session_required")
        return request.user is not None


class SameOrigin(BasePermission):
    """For the forms before a session exists: another site's page may not sign a visitor in as somebody else."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if request.META.get("HTTP_SEC_FETCH_SITE") == "cross-site" or not _is_own_origin(request):
            raise Forbidden("This request comes from another site.", code="cross_site")
        return True


def require_scope(actor: Actor, scope: str) -> None:
    if scope == ADMIN:
        require_admin(actor)
    elif scope == WRITE:
        require_write(actor)
    elif not actor.may_read:
        raise Forbidden("This key cannot read; it lacks the read scope.")


def _scope_of(request: Request) -> str:
    return READ if request.method in SAFE_METHODS else WRITE


def _is_own_origin(request: Request) -> bool:
    origin = request.META.get("HTTP_ORIGIN")
    if origin is None or origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    return bool(origin != "null" and urlsplit(origin).netloc == request.get_host())
