"""The live state of a conversation, for clients that missed an event, or have no socket."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.api.conversations.live_serializers import LiveSerializer, LiveSeriesSerializer
from apps.api.framework.requests import ApiRequest
from apps.api.framework.views import WorkspaceView
from apps.context.selectors.conversation.live_snapshot import conversation_live
from apps.context.selectors.conversation.token_history import conversation_series


class LiveView(WorkspaceView):
    @extend_schema(responses=LiveSerializer)
    def get(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Get the live state of a conversation

        Returns the snapshot with which a socket subscription starts: counts, health, the running turn and the
        newest messages.
        """
        return Response(LiveSerializer(conversation_live(request.actor, conversation_id)).data)


class LiveSeriesView(WorkspaceView):
    @extend_schema(responses=LiveSeriesSerializer)
    def get(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Get the token history of a conversation

        Returns the live token count by message, in at most 120 points, and the compactions along the way.
        """
        return Response(LiveSeriesSerializer(conversation_series(request.actor, conversation_id)).data)
