"""With whom a conversation is shared."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.permissions import Permission
from apps.api.conversations.serializers import ShareInput, ShareSerializer
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.permissions import by_method
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.auto_schema import PAGING
from apps.api.openapi.documented_errors import refusals
from apps.conversations.selectors.conversations import conversation_shares
from apps.conversations.services.conversations import conversation_share, conversation_unshare

NO_SUCH_MEMBER = (422, "no_such_member", "Nobody in this workspace has that e-mail address.")


class SharesView(WorkspaceView):
    @extend_schema(parameters=PAGING, responses=page_serializer(ShareSerializer))
    def get(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Everybody it is shared with, the first share first."""
        part = window(request)
        page = conversation_shares(request.actor, conversation_id, after=part.after, limit=part.limit)
        return page_response(request, page, ShareSerializer)

    @extend_schema(request=ShareInput, responses={201: ShareSerializer, **refusals(NO_SUCH_MEMBER)})
    def post(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Let a member of the workspace read it, or read and write; a second time, change which. For its owner."""
        values = read_body(ShareInput, request.data)
        share = conversation_share(request.actor, conversation_id=conversation_id, **values)
        return Response(ShareSerializer(share).data, status=201)


class ShareDetailView(WorkspaceView):
    permissions = by_method(delete=Permission.MANAGE_SELF)

    @extend_schema(responses={204: None})
    def delete(self, request: ApiRequest, conversation_id: UUID, user_id: UUID) -> Response:
        """Share it no longer; whom it is shared with may leave by themselves."""
        conversation_unshare(request.actor, conversation_id=conversation_id, user_id=user_id)
        return Response(status=204)
