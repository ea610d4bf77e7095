"""Endpoint of what was retrieved for a reply."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from apps.api.context.pack_serializers import CHANCE_HELP, OTHER_CHAT_HELP, RETRIEVED_KINDS, SCORE_HELP
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import OutputSerializer
from apps.api.framework.views import WorkspaceView
from apps.context.selectors.used_items import used_items
from apps.engine.pack.layers import Layer


class UsedItemSerializer(OutputSerializer[Any]):
    """A memory or message that was retrieved for a reply and was in its pack."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=RETRIEVED_KINDS)
    layer = serializers.ChoiceField(
        choices=[layer.value for layer in Layer], help_text="Where the pack had it: the first layers have a profile."
    )
    quote = serializers.CharField(help_text="What it said then, at most 300 characters.")
    score = serializers.FloatField(help_text=SCORE_HELP)
    similarity = serializers.FloatField(help_text="Cosine similarity of the meaning; 0 without an embedding.")
    chance = serializers.FloatField(allow_null=True, help_text=CHANCE_HELP)
    tokens = serializers.IntegerField(help_text="Tokens that it took in the pack, with its source.")
    uri = serializers.CharField(help_text="Present address of a memory; otherwise empty.")
    is_changed = serializers.BooleanField(help_text="Whether the memory says something else now.")
    valid_to = serializers.DateTimeField(allow_null=True, help_text="Until when a memory held; null while it holds.")
    archived_at = serializers.DateTimeField(allow_null=True, help_text="When a memory was archived since.")
    index = serializers.IntegerField(allow_null=True, help_text="Index of a message; null for a memory.")
    role = serializers.CharField(help_text="Role of a message; otherwise empty.")
    name = serializers.CharField(help_text="Author of a message, if it has one.")
    conversation_id = serializers.UUIDField(allow_null=True, help_text=OTHER_CHAT_HELP)
    conversation_title = serializers.CharField(help_text="Title of that conversation; otherwise empty.")


class UsedItemsSerializer(OutputSerializer[Any]):
    """What was retrieved for a reply, best first."""

    items = UsedItemSerializer(many=True)
    unavailable = serializers.IntegerField(
        help_text="Number of items that were deleted since, or that you may not read."
    )


class UsedItemsView(WorkspaceView):
    @extend_schema(responses=UsedItemsSerializer)
    def get(self, request: ApiRequest, conversation_id: UUID, message_id: UUID) -> Response:
        """List what a reply used

        Returns the memories and earlier messages that were retrieved for a reply and were in its context pack. A
        message's `used_count` is their number.
        """
        return Response(UsedItemsSerializer(used_items(request.actor, conversation_id, message_id)).data)
