"""Endpoints of the members of the current workspace."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.permissions import Permission
from apps.accounts.selectors.users import member_list
from apps.accounts.services.members import member_remove, member_update
from apps.api.accounts.serializers import MemberSerializer, RoleInput
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.permissions import by_method
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.auto_schema import PAGING


class MembersView(WorkspaceView):
    permissions = by_method(get=Permission.READ_WORKSPACE)

    @extend_schema(parameters=PAGING, responses=page_serializer(MemberSerializer))
    def get(self, request: ApiRequest) -> Response:
        """List members

        Returns everyone in the workspace with their roles.
        """
        page = window(request)
        return page_response(request, member_list(request.actor, after=page.after, limit=page.limit), MemberSerializer)


class MemberDetailView(WorkspaceView):
    permissions = by_method(patch=Permission.MANAGE_MEMBERS, delete=Permission.MANAGE_SELF)

    @extend_schema(request=RoleInput, responses=MemberSerializer)
    def patch(self, request: ApiRequest, user_id: UUID) -> Response:
        """Change a member's role

        Gives the member another role in the workspace.
        """
        values = read_body(RoleInput, request.data)
        return Response(MemberSerializer(member_update(request.actor, user_id=user_id, role=values["role"])).data)

    @extend_schema(responses={204: None})
    def delete(self, request: ApiRequest, user_id: UUID) -> Response:
        """Remove a member

        Removes a member from the workspace. Members can also remove themselves to leave it.
        """
        member_remove(request.actor, user_id=user_id)
        return Response(status=204)
