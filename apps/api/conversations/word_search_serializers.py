"""Request and response serializers of the search for literal words."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.api.framework.serializers import Input, OutputSerializer
from apps.compaction.selectors.text_search import LineMatch
from apps.conversations.records import MESSAGE_ROLES, ConversationMatch, MessageMatch, Snippet
from apps.engine.summary.rolling_summary import FIELDS
from apps.memory.records import USER_MEMORY_TYPES
from apps.memory.records.text_search import MemoryMatch, PinMatch, UserMemoryMatch
from apps.turns.selectors.text_search import SearchResults

MOST_FOUND = 50


class WordQuery(Input):
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
