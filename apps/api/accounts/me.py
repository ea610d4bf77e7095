"""The current user: who they are, and what they may do in which workspace."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.middleware.csrf import get_token
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.actors import Actor
from apps.accounts.permissions import scopes_of_role
from apps.accounts.records import UserRecord
from apps.accounts.selectors import policy_for_workspace
from apps.accounts.selectors.users import actor_in, user_get, workspaces_of
from apps.accounts.services.users import user_choose_workspace, user_finish_tour, user_rename, user_set_time_zone
from apps.api.accounts.serializers import MeInput, MeSerializer
from apps.api.framework.permissions import InBrowser, SignedIn
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import SESSION_WORKSPACE, AccountView, ApiView, Permissions
from apps.common.tenancy import workspace
from apps.llm.providers.base import Purpose
from apps.llm.selectors.model_settings import model_chosen
from apps.llm.services.budget_status import spending_now

_NO_MODEL = {
    "provider": "offline",
    "model": "offline",
    "configured": False,
    "reason": "You are not a member of any workspace.",
}
_NO_WORKSPACE_STATE = {"features": None, "spending": None, "chat_model": _NO_MODEL}


class MeView(AccountView):
    permission_classes: Permissions = (SignedIn,)

    def answer(self, request: ApiRequest, *args: Any, **kwargs: Any) -> Response:
        """Run without a unit of work, because the request may switch the workspace."""
        return ApiView.answer(self, request, *args, **kwargs)

    @extend_schema(responses=MeSerializer)
    def get(self, request: ApiRequest) -> Response:
        """Get the current user

        Returns the signed-in user, their workspace and what they may do there. The response sets the CSRF
        cookie.
        """
        if (holder := request.key_holder) is not None:
            return Response(me(holder.user, holder.actor))
        get_token(request._request)
        return Response(me(user_get(request.user_id), getattr(request, "actor", None)))

    @extend_schema(request=MeInput, responses=MeSerializer)
    def patch(self, request: ApiRequest) -> Response:
        """Update the current user

        Changes your name, your time zone, the workspace that this session works in, or whether the tour was shown.
        """
        InBrowser().has_permission(request, self)
        values = read_body(MeInput, request.data)
        if "workspace_id" in values:
            _switch(request, values["workspace_id"])
        if "name" in values:
            user_rename(user_id=request.user_id, name=values["name"])
        if "tour_done" in values:
            user_finish_tour(user_id=request.user_id, done=values["tour_done"])
        if "time_zone" in values:
            user_set_time_zone(user_id=request.user_id, name=values["time_zone"])
        return Response(me(user_get(request.user_id), getattr(request, "actor", None)))


def me(user: UserRecord, actor: Actor | None) -> Any:
    """The response body for the current user. An API key sees only its own workspace."""
    memberships = workspaces_of(user.id)
    if actor is not None and actor.key_id is not None:
        memberships = [membership for membership in memberships if membership.id == actor.workspace_id]
    current = next(
        (membership for membership in memberships if actor is not None and membership.id == actor.workspace_id), None
    )
    body = {
        "user": user,
        "memberships": memberships,
        "workspace": current,
        "role": actor.role if actor else None,
        "role_label": actor.role.label if actor else "",
        "permissions": actor.permissions if actor else [],
        "scopes": sorted(actor.scopes & scopes_of_role(actor.role)) if actor else [],
        **(_workspace_state(actor) if actor else _NO_WORKSPACE_STATE),
    }
    return MeSerializer(body).data


def me_in(request: ApiRequest, workspace_id: UUID) -> Any:
    """Switch the session to a workspace, and return the response body for the user there."""
    _switch(request, workspace_id)
    return me(user_get(request.user_id), request.actor)


def _switch(request: ApiRequest, workspace_id: UUID) -> None:
    request.actor = actor_in(request.user_id, workspace_id)
    request.session[SESSION_WORKSPACE] = str(workspace_id)
    user_choose_workspace(user_id=request.user_id, workspace_id=workspace_id)


def _workspace_state(actor: Actor) -> dict[str, Any]:
    """The workspace's features, budget status and chat model."""
    with workspace(actor.workspace_id):
        policy = policy_for_workspace()
        spending = spending_now(policy)
        chosen, _ = model_chosen(Purpose.CHAT, policy)
    features = {"engine": policy.engine_enabled, "auto_compact": policy.auto_compact, "ui": policy.ui_enabled}
    model = {**asdict(chosen), "provider": chosen.backend}
    return {"features": features, "spending": spending, "chat_model": model}
