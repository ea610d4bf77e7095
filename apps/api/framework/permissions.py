"""DRF permissions: the key's scopes and the user's role must both allow the request."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from apps.accounts.actors import Actor, require
from apps.accounts.permissions import Permission
from apps.api.framework.requests import ApiRequest
from apps.common.errors import Forbidden

if TYPE_CHECKING:
    from rest_framework.views import APIView  # loads the default classes, which are these


class InWorkspace(BasePermission):
    """A read needs READ and everything else WRITE, unless the view names another in `permissions` for the method."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        actor: Actor | None = getattr(request, "actor", None)
        if actor is None:
            return False
        named: Mapping[str, Permission] = getattr(view, "permissions", {})
        require(actor, named.get(request.method or "") or _usual(request))
        return True


class SignedIn(BasePermission):
    """A signed-in person, in any workspace."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return request.user is not None


class InBrowser(BasePermission):
    """A person with their session: what concerns the whole account is not a key's to do."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if isinstance(request, ApiRequest) and request.key_holder is not None:
            raise Forbidden("API keys cannot do this. Sign in instead.", code="session_required")
        return request.user is not None


class SameOrigin(BasePermission):
    """CSRF protection of the forms before a session exists: another site may not sign a visitor in."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if request.META.get("HTTP_SEC_FETCH_SITE") == "cross-site" or not _is_own_origin(request):
            raise Forbidden("Cross-site requests are not allowed.", code="cross_site")
        return True


def by_method(**permissions: Permission) -> Mapping[str, Permission]:
    """Name the permissions of a view's methods: `by_method(delete=Permission.MANAGE_SELF)`."""
    return MappingProxyType({method.upper(): permission for method, permission in permissions.items()})


def _usual(request: Request) -> Permission:
    return Permission.READ if request.method in SAFE_METHODS else Permission.WRITE


def _is_own_origin(request: Request) -> bool:
    origin = request.META.get("HTTP_ORIGIN")
    if origin is None or origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    return bool(origin != "null" and urlsplit(origin).netloc == request.get_host())
