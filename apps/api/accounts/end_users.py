"""Endpoints of the users of an application: those for whom its keys act."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.permissions import Permission
from apps.accounts.selectors.end_users import end_user_get, end_user_list
from apps.api.accounts.serializers import EndUserQuery, EndUserSerializer
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.permissions import by_method
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_query
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.auto_schema import PAGING
from apps.api.openapi.documented_errors import error_responses
from apps.turns.services.end_user_erase import end_user_erase

TURN_RUNNING = (409, "turn_running", "A reply is being written in this conversation.")


class EndUsersView(WorkspaceView):
    permissions = by_method(get=Permission.MANAGE_END_USERS)

    @extend_schema(parameters=[EndUserQuery, *PAGING], responses=page_serializer(EndUserSerializer))
    def get(self, request: ApiRequest) -> Response:
        """List end users

        Returns the users of applications for whom keys with the scope `act_for_users` have acted, in the order of
        their ids. A key acts for one by the header `Continuity-User`; what is theirs is listed, searched and exported
        by the same endpoints as a person's own.
        """
        beginning = read_query(EndUserQuery, request.query_params)["external_id"]
        part = window(request)
        page = end_user_list(request.actor, beginning=beginning, after=part.after, limit=part.limit)
        return page_response(request, page, EndUserSerializer)


class EndUserDetailView(WorkspaceView):
    permissions = by_method(get=Permission.MANAGE_END_USERS, delete=Permission.MANAGE_END_USERS)

    @extend_schema(responses=EndUserSerializer)
    def get(self, request: ApiRequest, end_user_id: UUID) -> Response:
        """Get an end user

        Returns one user of an application.
        """
        return Response(EndUserSerializer(end_user_get(request.actor, end_user_id)).data)

    @extend_schema(responses={204: None, **error_responses(TURN_RUNNING)})
    def delete(self, request: ApiRequest, end_user_id: UUID) -> Response:
        """Erase an end user

        Permanently deletes everything that is theirs: conversations, memories, notes, sessions and settings. Only the
        usage of models stays, without content. A later request that names them makes them anew.
        """
        end_user_erase(request.actor, user_id=end_user_id)
        return Response(status=204)
