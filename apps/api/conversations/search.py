"""Search: conversations by literal words, or memories and messages by words and meaning."""

from __future__ import annotations

from collections.abc import Mapping

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from apps.accounts.actors import Actor
from apps.api.conversations.search_serializers import (
    WORDS,
    FindQuery,
    SearchParameters,
    SearchResultSerializer,
    find_query_of,
)
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import Input, OutputSerializer, read_body
from apps.api.framework.views import WorkspaceView
from apps.common.tenancy import workspace
from apps.conversations.records import MESSAGE_ROLES, ConversationMatch, MessageMatch, SearchResults
from apps.conversations.selectors.search import search
from apps.memory.services.find import memories_find

MOST_FOUND = 50


class SearchQuery(Input):
    mode = serializers.CharField(required=False)
    q = serializers.CharField(
        min_length=2, max_length=200, help_text="All of these words, in either case; a quoted phrase counts as one."
    )
    limit = serializers.IntegerField(min_value=1, max_value=MOST_FOUND, required=False, default=20)


class ConversationHitSerializer(OutputSerializer[ConversationMatch]):
    id = serializers.UUIDField()
    title = serializers.CharField()
    updated_at = serializers.DateTimeField()
    archived_at = serializers.DateTimeField(allow_null=True)


class MessageHitSerializer(OutputSerializer[MessageMatch]):
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
        help_text="Position and length in the snippet, in Unicode characters.",
    )
    created_at = serializers.DateTimeField()


class SearchResultsSerializer(OutputSerializer[SearchResults]):
    """The newest first, at most `limit` of each."""

    conversations = ConversationHitSerializer(many=True)
    messages = MessageHitSerializer(many=True)


class SearchView(WorkspaceView):
    unit = False  # no transaction may be open while a provider embeds the query

    @extend_schema(
        parameters=[SearchParameters],
        responses=PolymorphicProxySerializer(
            component_name="SearchAnswer",
            serializers=[SearchResultsSerializer, SearchResultSerializer],
            resource_type_field_name=None,
        ),
    )
    def get(self, request: ApiRequest) -> Response:
        """Search conversations and memories

        Searches in one of two modes.

        `mode=words`, the default, searches titles of conversations and messages for all of the words, including
        compacted, excluded and archived ones, newest first. A search that takes longer than two seconds fails
        with status 503 and the code `search_too_slow`.

        `mode=find` searches memories, messages or both by keywords and meaning, and weights each result by how
        relevant the memory still is. It calls no language model. A memory in the results counts as used.
        """
        params = request.query_params.dict()
        answer = _by_meaning if params.get("mode", WORDS) != WORDS else _by_words
        return answer(request.actor, params)


def _by_words(actor: Actor, params: Mapping[str, str]) -> Response:
    query = read_body(SearchQuery, params)
    with workspace(actor.workspace_id):
        return Response(SearchResultsSerializer(search(actor, query["q"], limit=query["limit"])).data)


def _by_meaning(actor: Actor, params: Mapping[str, str]) -> Response:
    query = read_body(FindQuery, params)
    return Response(SearchResultSerializer(memories_find(actor, query=find_query_of(query))).data)
