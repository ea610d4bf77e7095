"""Search: conversations by literal words, or memories and messages by words and meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.response import Response

from apps.accounts.actors import Actor
from apps.accounts.permissions import Permission
from apps.api.conversations.search_serializers import (
    SEARCH,
    WORDS,
    FindQuery,
    SearchParameters,
    SearchResultSerializer,
    find_query_of,
)
from apps.api.conversations.tree_search_serializers import TreeSearchResultSerializer
from apps.api.conversations.word_search_serializers import SearchResultsSerializer, WordQuery
from apps.api.framework.permissions import by_method
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import WorkspaceView
from apps.common.tenancy import workspace
from apps.memory.services.search.find import memories_find
from apps.memory.services.search.tree_search import memories_search
from apps.turns.selectors.text_search import text_search

_ANSWER = PolymorphicProxySerializer(
    component_name="SearchAnswer",
    serializers=[SearchResultsSerializer, SearchResultSerializer, TreeSearchResultSerializer],
    resource_type_field_name=None,
)


class SearchView(WorkspaceView):
    unit = False  # no transaction may be open while the query is embedded
    permissions = by_method(post=Permission.READ)

    @extend_schema(parameters=[SearchParameters], responses=_ANSWER)
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
        return _answer(request.actor, request.query_params.dict())

    @extend_schema(request=SearchParameters, responses=_ANSWER)
    def post(self, request: ApiRequest) -> Response:
        """Search with a long query

        The same with the parameters in the body, for queries that are too long for an address.
        """
        return _answer(request.actor, request.data if isinstance(request.data, dict) else {})


def _answer(actor: Actor, params: Mapping[str, Any]) -> Response:
    mode = params.get("mode", WORDS)
    if mode == WORDS:
        return _by_words(actor, params)
    return _with_intent(actor, params) if mode == SEARCH else _by_meaning(actor, params)


def _by_words(actor: Actor, params: Mapping[str, Any]) -> Response:
    query = read_body(WordQuery, params)
    with workspace(actor.workspace_id):
        return Response(SearchResultsSerializer(text_search(actor, query["q"], limit=query["limit"])).data)


def _by_meaning(actor: Actor, params: Mapping[str, Any]) -> Response:
    query = read_body(FindQuery, params)
    return Response(SearchResultSerializer(memories_find(actor, query=find_query_of(query))).data)


def _with_intent(actor: Actor, params: Mapping[str, Any]) -> Response:
    query = read_body(FindQuery, params)
    result = memories_search(actor, query=find_query_of(query))
    shown = result if query["explain"] else replace(result, rounds=())
    return Response(TreeSearchResultSerializer(shown).data)
