"""View base classes: authenticate, throttle, and run the handler in one transaction of the workspace.

class PinView(WorkspaceView):
    @extend_schema(responses=PinSerializer)
    def get(self, request: ApiRequest, pin_id: UUID) -> Response:
        return Response(PinSerializer(pin_get(request.actor, pin_id)).data)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar
from uuid import UUID

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.actors import Actor
from apps.accounts.permissions import Permission
from apps.accounts.selectors.users import actor_anywhere, actor_in
from apps.accounts.time_zones import in_zone
from apps.api.framework.authentication import act_for_end_user
from apps.api.framework.idempotency import reject_idempotency_key, respond_once
from apps.api.framework.permissions import InWorkspace, SameOrigin, SignedIn, by_method
from apps.api.framework.requests import ApiRequest, text_change_header
from apps.api.framework.throttling import rate_headers
from apps.common.errors import Forbidden, Invalid, NotFound
from apps.common.tenancy import workspace

SESSION_WORKSPACE = "workspace_id"
Permissions = tuple[type[BasePermission], ...]


class ApiView(APIView):
    """Common base of all views."""

    metadata_class = None
    rate: ClassVar[str | None] = None
    unit: ClassVar[bool] = True
    stores_response: ClassVar[bool] = True
    largest_body: ClassVar[int | None] = None
    request: ApiRequest

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> ApiRequest:
        return ApiRequest(
            request,
            parsers=self.get_parsers(),
            authenticators=self.get_authenticators(),
            negotiator=self.get_content_negotiator(),
            parser_context=self.get_parser_context(request),
        )

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Dispatch as in DRF, but handle errors of the transaction's commit as well."""
        self.args, self.kwargs = args, kwargs
        self.request = self.initialize_request(request, *args, **kwargs)
        self.headers = self.default_response_headers
        try:
            response = self.answer(self.request, *args, **kwargs)
        except Exception as error:
            response = self.handle_exception(error)
        self.response = self.finalize_response(self.request, response, *args, **kwargs)
        return self.response

    def answer(self, request: ApiRequest, *args: Any, **kwargs: Any) -> Response:
        self.initial(request, *args, **kwargs)
        return self.handler(request)(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Parse the body before the handler runs, so that malformed bodies are rejected even if none is expected."""
        super().initial(request, *args, **kwargs)
        if self.unit:
            _ = request.data

    def handler(self, request: ApiRequest) -> Callable[..., Response]:
        method = (request.method or "").lower()
        known = method in self.http_method_names
        view_handler: Callable[..., Response] = (
            getattr(self, method, self.http_method_not_allowed) if known else (self.http_method_not_allowed)
        )
        return view_handler

    def check_permissions(self, request: Request) -> None:
        """Throttle before checking permissions, so that rejected requests count; then reject unknown methods."""
        super().check_throttles(request)
        self.name_person(request)
        super().check_permissions(request)
        if self.handler(self.request) == self.http_method_not_allowed:
            self.http_method_not_allowed(request)

    def name_person(self, request: Request) -> None:
        """Find for whom a counted request acts, where it says so; nobody else by default."""

    def check_throttles(self, request: Request) -> None:
        """Do nothing: `check_permissions` has already counted the request."""

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        final = super().finalize_response(request, response, *args, **kwargs)
        rate_headers(request, final)
        text_change_header(self.request, final)
        return final


class PublicView(ApiView):
    """Base of endpoints that need no authentication, such as sign-in."""

    authentication_classes = ()
    permission_classes: Permissions = (SameOrigin,)
    largest_body = 16 * 1024


class WorkspaceView(ApiView):
    """Base of endpoints in a workspace, with `request.actor`, inside one transaction.

    `permissions` overrides the default read or write permission by method. `unit = False` leaves the body
    and the transaction to the handler and its service, for long or streamed work; it disables Idempotency-Key too.
    `end_user_in_body` is false where the body is a file.
    """

    permission_classes: Permissions = (InWorkspace,)
    permissions: ClassVar[Mapping[str, Permission]] = by_method()
    end_user_in_body: ClassVar[bool] = True

    def perform_authentication(self, request: Request) -> None:
        super().perform_authentication(request)
        if request.user is not None:
            self.request.actor = actor_of(self.request, self.kwargs.get("workspace_id"))

    def name_person(self, request: Request) -> None:
        """An end user's requests count for their key first, and then for themselves."""
        if not act_for_end_user(self.request, reads_body=self.end_user_in_body):
            return
        self.request.actor = actor_of(self.request)
        if self.rate is None:
            APIView.check_throttles(self, request)

    def answer(self, request: ApiRequest, *args: Any, **kwargs: Any) -> Response:
        self.initial(request, *args, **kwargs)
        handler = self.handler(request)
        if not (self.unit and self.stores_response):
            reject_idempotency_key(request)
        with in_zone(request.actor.time_zone):
            if not self.unit:
                return handler(request, *args, **kwargs)
            self.prepare(request, *args, **kwargs)
            with workspace(request.actor.workspace_id):
                return respond_once(request, lambda: handler(request, *args, **kwargs))

    def prepare(self, request: ApiRequest, *args: Any, **kwargs: Any) -> None:
        """Run what must precede the transaction, such as a provider's call; nothing by default."""


class AccountView(WorkspaceView):
    """Base of endpoints for signed-in users, with or without a workspace; idempotent replay requires one."""

    permission_classes: Permissions = (SignedIn,)

    def perform_authentication(self, request: Request) -> None:
        try:
            super().perform_authentication(request)
        except Forbidden as refusal:
            if refusal.code != "no_workspace":
                raise

    def answer(self, request: ApiRequest, *args: Any, **kwargs: Any) -> Response:
        self.initial(request, *args, **kwargs)
        handler = self.handler(request)
        if not hasattr(request, "actor"):
            return handler(request, *args, **kwargs)
        with workspace(request.actor.workspace_id):
            return respond_once(request, lambda: handler(request, *args, **kwargs))


def actor_of(request: ApiRequest, wanted: UUID | None = None) -> Actor:
    """Return the actor: in a key's own workspace, or in the one that the URL, the header or the session selects."""
    wanted = wanted or _named_workspace(request)
    if (holder := request.key_holder) is not None:
        if wanted not in (None, holder.actor.workspace_id):
            raise NotFound("Workspace not found.")
        return holder.actor
    if wanted is not None:
        return actor_in(request.user_id, wanted)
    chosen = request.session.get(SESSION_WORKSPACE)
    return actor_anywhere(request.user_id, UUID(chosen) if chosen else None)


def _named_workspace(request: Request) -> UUID | None:
    text = request.META.get("HTTP_X_CONTINUITY_WORKSPACE")
    try:
        return None if text is None else UUID(text)
    except ValueError as error:
        raise Invalid("X-Continuity-Workspace must be a workspace ID.", code="invalid_workspace") from error
