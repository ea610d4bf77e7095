"""Endpoints of the user's workspaces."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.permissions import Permission
from apps.accounts.selectors.users import workspace_get, workspace_list
from apps.accounts.services.workspaces import workspace_create, workspace_rename
from apps.api.accounts.serializers import WorkspaceInput, WorkspaceSerializer
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.permissions import InBrowser, SignedIn, by_method
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import AccountView, Permissions, WorkspaceView
from apps.api.openapi.auto_schema import PAGING
from apps.turns.services.demo.sample import sample_request


class WorkspacesView(AccountView):
    permission_classes: Permissions = (SignedIn,)

    @extend_schema(parameters=PAGING, responses=page_serializer(WorkspaceSerializer))
    def get(self, request: ApiRequest) -> Response:
        """List workspaces

        Returns the workspaces that you are a member of. An API key sees its own.
        """
        bounds = window(request)
        only = request.actor.workspace_id if request.key_holder else None
        page = workspace_list(request.user_id, after=bounds.after, limit=bounds.limit, only=only)
        return page_response(request, page, WorkspaceSerializer)

    @extend_schema(request=WorkspaceInput, responses={201: WorkspaceSerializer})
    def post(self, request: ApiRequest) -> Response:
        """Create a workspace

        Creates a workspace that you own.
        """
        InBrowser().has_permission(request, self)
        values = read_body(WorkspaceInput, request.data)
        created = workspace_create(user_id=request.user_id, name=values["name"])
        sample_request(workspace_id=created.id, user_id=request.user_id)
        return Response(
            WorkspaceSerializer(created).data, status=201, headers={"Location": f"/api/workspaces/{created.id}"}
        )


class WorkspaceDetailView(WorkspaceView):
    permissions = by_method(get=Permission.READ_WORKSPACE)

    @extend_schema(responses=WorkspaceSerializer)
    def get(self, request: ApiRequest, workspace_id: UUID) -> Response:
        """Get a workspace

        Returns one workspace with your role in it.
        """
        return Response(WorkspaceSerializer(workspace_get(request.actor)).data)

    @extend_schema(request=WorkspaceInput, responses=WorkspaceSerializer)
    def patch(self, request: ApiRequest, workspace_id: UUID) -> Response:
        """Rename a workspace

        Changes the name of the workspace.
        """
        values = read_body(WorkspaceInput, request.data)
        return Response(WorkspaceSerializer(workspace_rename(request.actor, name=values["name"])).data)
