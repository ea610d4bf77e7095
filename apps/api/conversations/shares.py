"""Endpoints of a conversation's shares."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.permissions import Permission
from apps.api.conversations.serializers import SharedSerializer, ShareInput, ShareSerializer
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.permissions import by_method
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.auto_schema import PAGING
from apps.api.openapi.documented_errors import error_responses
from apps.context.selectors.private_replies import private_reply_count
from apps.conversations.selectors.conversations import conversation_shares
from apps.conversations.services.conversations import conversation_share, conversation_unshare

NO_SUCH_MEMBER = (422, "no_such_member", "No member of this workspace has this email address.")


class SharesView(WorkspaceView):
    @extend_schema(parameters=PAGING, responses=page_serializer(ShareSerializer))
    def get(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """List shares

        Returns everyone the conversation is shared with, oldest share first.
        """
        part = window(request)
        page = conversation_shares(request.actor, conversation_id, after=part.after, limit=part.limit)
        return page_response(request, page, ShareSerializer)

    @extend_schema(request=ShareInput, responses={201: SharedSerializer, **error_responses(NO_SUCH_MEMBER)})
    def post(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Share a conversation

        Gives a member of the workspace read or write access to the conversation; a repeated request changes the
        access. Only the owner may share it. `private_replies` says how many replies used private memories: the
        people it is shared with can read them. From now on private memories are used only if the owner allows that for
        this conversation (`private_memory_when_shared`).
        """
        values = read_body(ShareInput, request.data)
        share = conversation_share(request.actor, conversation_id=conversation_id, **values)
        private_replies = private_reply_count(conversation_id)
        return Response({**ShareSerializer(share).data, "private_replies": private_replies}, status=201)


class ShareDetailView(WorkspaceView):
    permissions = by_method(delete=Permission.MANAGE_SELF)

    @extend_schema(responses={204: None})
    def delete(self, request: ApiRequest, conversation_id: UUID, user_id: UUID) -> Response:
        """Remove a share

        Ends the member's access to the conversation. Members can also remove their own access.
        """
        conversation_unshare(request.actor, conversation_id=conversation_id, user_id=user_id)
        return Response(status=204)
