"""Search over the conversations that one may read."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from apps.api.conventions.requests import ApiRequest
from apps.api.conventions.shapes import Input, Shape, read_body
from apps.api.conventions.views import WorkspaceView
from apps.conversations.records import MESSAGE_ROLES, Found, FoundConversation, FoundMessage
from apps.conversations.selectors.search import search

MOST_FOUND = 50


class SearchQuery(Input):
    q = serializers.CharField(min_length=2, max_length=200, help_text="Looked for as it stands, in either case.")
    limit = serializers.IntegerField(min_value=1, max_value=MOST_FOUND, required=False, default=20)


class FoundConversationShape(Shape[FoundConversation]):
    id = serializers.UUIDField()
    title = serializers.CharField()
    updated_at = serializers.DateTimeField()
    archived_at = serializers.DateTimeField(allow_null=True)


class FoundMessageShape(Shape[FoundMessage]):
    conversation_id = serializers.UUIDField()
    title = serializers.CharField(help_text="The conversation's.")
    message_id = serializers.UUIDField()
    index = serializers.IntegerField()
    role = serializers.ChoiceField(choices=MESSAGE_ROLES)
    snippet = serializers.CharField()
    match = serializers.ListField(
        child=serializers.IntegerField(),
        min_length=2,
        max_length=2,
        help_text="Where in the snippet it stands and how long it is, in Unicode characters.",
    )
    created_at = serializers.DateTimeField()


class FoundShape(Shape[Found]):
    """The newest first, at most `limit` of each."""

    conversations = FoundConversationShape(many=True)
    messages = FoundMessageShape(many=True)


class SearchView(WorkspaceView):
    @extend_schema(parameters=[SearchQuery], responses=FoundShape)
    def get(self, request: ApiRequest) -> Response:
        """Conversations by their titles and messages by their words, folded, excluded and archived ones too. When it
        takes longer than two seconds: 503 with the code `search_too_slow`."""
        query: dict[str, Any] = read_body(SearchQuery, request.query_params.dict())
        return Response(FoundShape(search(request.actor, query["q"], limit=query["limit"])).data)
