"""Endpoint of who reads a conversation."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from apps.api.conversations.serializers import PRIVATE_REPLIES_HELP
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import OutputSerializer
from apps.api.framework.views import WorkspaceView
from apps.context.selectors.conversation.audience import AudienceRecord, conversation_audience
from apps.conversations.records import ACCESS, ReaderRecord


class ReaderSerializer(OutputSerializer[ReaderRecord]):
    user_id = serializers.UUIDField()
    name = serializers.CharField(help_text="Their name, or their email address if they have none.")
    access = serializers.ChoiceField(choices=ACCESS)


class AudienceSerializer(OutputSerializer[AudienceRecord]):
    """Who else reads a conversation, and whether your private memories are used in it."""

    readers = ReaderSerializer(many=True, help_text="Everyone but you: the owner, then the oldest shares; at most 20.")
    has_more = serializers.BooleanField(help_text="Whether there are more readers.")
    uses_private_memory = serializers.BooleanField(
        help_text="Whether your turns use your private memories here: never in a conversation of somebody else."
    )
    private_replies = serializers.IntegerField(
        allow_null=True, help_text=f"{PRIVATE_REPLIES_HELP} Null unless you own the conversation."
    )


class AudienceView(WorkspaceView):
    @extend_schema(responses=AudienceSerializer)
    def get(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Get a conversation's audience

        Returns who else reads the conversation, whether your private memories are used in it, and for its owner how
        many replies have used private memories.
        """
        return Response(AudienceSerializer(conversation_audience(request.actor, conversation_id)).data)
