"""Search: conversations by literal words, or memories and messages by words and meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from apps.accounts.actors import Actor
from apps.api.conversations.search_serializers import (
    SEARCH,
    WORDS,
    FindQuery,
    SearchParameters,
    SearchResultSerializer,
    find_query_of,
)
from apps.api.conversations.tree_search_serializers import TreeSearchResultSerializer
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import Input, OutputSerializer, read_body
from apps.api.framework.views import WorkspaceView
from apps.common.tenancy import workspace
from apps.compaction.selectors.text_search import LineMatch
from apps.conversations.records import MESSAGE_ROLES, ConversationMatch, MessageMatch, Snippet
from apps.engine.summary.rolling_summary import FIELDS
from apps.memory.records import USER_MEMORY_TYPES
from apps.memory.records.text_search import MemoryMatch, PinMatch, UserMemoryMatch
from apps.memory.services.search.find import memories_find
from apps.memory.services.search.tree_search import memories_search
from apps.turns.selectors.text_search import SearchResults, text_search

MOST_FOUND = 50


class SearchQuery(Input):
    mode = serializers.CharField(required=False)
    q = serializers.CharField(
        min_length=2, max_length=200, help_text="All of these words, in either case; a quoted phrase counts as one."
    )
    limit = serializers.IntegerField(min_value=1, max_value=MOST_FOUND, required=False, default=20)


class MatchField(serializers.ListField):
    """The place of a word in a snippet."""

    def __init__(self, **options: Any) -> None:
        text = "Position and length in the snippet, in Unicode characters."
        super().__init__(child=serializers.IntegerField(), min_length=2, max_length=2, help_text=text, **options)


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
    match = MatchField()
    created_at = serializers.DateTimeField()


class SnippetSerializer(OutputSerializer[Snippet]):
    text = serializers.CharField()
    match = MatchField()


class MemoryMatchSerializer(OutputSerializer[MemoryMatch]):
    id = serializers.UUIDField()
    uri = serializers.CharField()
    category = serializers.CharField()
    snippet = SnippetSerializer()


class UserMemoryMatchSerializer(OutputSerializer[UserMemoryMatch]):
    id = serializers.UUIDField()
    type = serializers.ChoiceField(choices=USER_MEMORY_TYPES)
    key = serializers.CharField()
    is_active = serializers.BooleanField()
    snippet = SnippetSerializer()


class PinMatchSerializer(OutputSerializer[PinMatch]):
    id = serializers.UUIDField()
    conversation_id = serializers.UUIDField()
    title = serializers.CharField(help_text="The conversation's.")
    snippet = SnippetSerializer()


class LineMatchSerializer(OutputSerializer[LineMatch]):
    conversation_id = serializers.UUIDField()
    title = serializers.CharField(help_text="The conversation's.")
    field = serializers.ChoiceField(choices=FIELDS)
    snippet = SnippetSerializer()


class SearchResultsSerializer(OutputSerializer[SearchResults]):
    """The newest first, at most `limit` of each."""

    conversations = ConversationHitSerializer(many=True)
    messages = MessageHitSerializer(many=True)
    memories = MemoryMatchSerializer(many=True)
    user_memory = UserMemoryMatchSerializer(many=True)
    pins = PinMatchSerializer(many=True)
    summary_lines = LineMatchSerializer(many=True, help_text="Of current summaries.")


class SearchView(WorkspaceView):
    unit = False  # no transaction may be open while the query is embedded

    @extend_schema(
        parameters=[SearchParameters],
        responses=PolymorphicProxySerializer(
            component_name="SearchAnswer",
            serializers=[SearchResultsSerializer, SearchResultSerializer, TreeSearchResultSerializer],
            resource_type_field_name=None,
        ),
    )
    def get(self, request: ApiRequest) -> Response:
        """Search conversations and memories

        Searches in one of three modes.

        `mode=words`, the default, searches titles of conversations, messages (including compacted, excluded and
        archived ones), memories, user memory, pins and the lines of current summaries for all of the words, newest
        first. A search that takes longer than two seconds fails
        with status 503 and the code `search_too_slow`.

        `mode=find` searches memories, messages or both by keywords and meaning, and weights each result by how
        relevant the memory still is. It calls no language model. A memory in the results counts as used.

        `mode=search` first reads what the query asks for, by the workspace's model or by rules: one to three
        sub-queries. It finds what `find` finds, then looks around the best memories in the tree until the results no
        longer change. It has no results for chit-chat, and none if nothing is relevant; `abstained` says which.
        """
        params = request.query_params.dict()
        answer = {WORDS: _by_words, SEARCH: _with_intent}.get(params.get("mode", WORDS), _by_meaning)
        return answer(request.actor, params)


def _by_words(actor: Actor, params: Mapping[str, str]) -> Response:
    query = read_body(SearchQuery, params)
    with workspace(actor.workspace_id):
        return Response(SearchResultsSerializer(text_search(actor, query["q"], limit=query["limit"])).data)


def _by_meaning(actor: Actor, params: Mapping[str, str]) -> Response:
    query = read_body(FindQuery, params)
    return Response(SearchResultSerializer(memories_find(actor, query=find_query_of(query))).data)


def _with_intent(actor: Actor, params: Mapping[str, str]) -> Response:
    query = read_body(FindQuery, params)
    result = memories_search(actor, query=find_query_of(query))
    shown = result if query["explain"] else replace(result, rounds=())
    return Response(TreeSearchResultSerializer(shown).data)
