"""Request and response serializers of semantic search."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.fields import empty

from apps.api.framework.memory_uris import AddressText
from apps.api.framework.serializers import Choice, Input, OutputSerializer, Text
from apps.conversations.limits import LONGEST_CONTENT
from apps.engine.memory.categories import Category
from apps.engine.memory.trust import Trust
from apps.memory.records.search import CORPORA, HIT_KINDS, OWNERS, Hit, ScoreParts, SearchQuery, SearchResult

WORDS, FIND, SEARCH = "words", "find", "search"
MODES = (WORDS, FIND, SEARCH)
MOST_HITS = 100
LONGEST_TAG, MOST_TAGS = 64, 20
_OF_MEMORIES = "Applies to memories only and excludes messages."
_TIME = "Of the fact, or of the message."


class TagWords(Text):
    """Comma-separated words."""

    def run_validation(self, data: Any = empty) -> Any:
        text = super().run_validation(data)
        words = [word.strip() for word in text.split(",")] if text else []
        tags = tuple(dict.fromkeys(word for word in words if word))
        if len(tags) > MOST_TAGS or any(len(tag) > LONGEST_TAG for tag in tags):
            raise serializers.ValidationError(
                f"At most {MOST_TAGS} tags of {LONGEST_TAG} characters.", code="max_length"
            )
        return tags


class FindQuery(Input):
    mode = Choice(choices=MODES, required=False, default=WORDS)
    q = Text(
        max_length=LONGEST_CONTENT,
        help_text="A question, search terms, or a whole message: of more than 4,000 characters the beginning, the "
        "end, and lines with code and names in between are searched for.",
    )
    top_k = serializers.IntegerField(
        min_value=1, max_value=MOST_HITS, required=False, default=10, help_text="Maximum number of results, best first."
    )
    threshold = serializers.FloatField(
        min_value=0,
        max_value=1,
        required=False,
        default=0.0,
        help_text="Minimum similarity; items without a vector must share a word instead.",
    )
    corpus = Choice(choices=CORPORA, required=False, default="memories")
    conversation_id = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="Restrict messages to this conversation."
    )
    category = Choice(
        choices=tuple(category.value for category in Category), required=False, default=None, help_text=_OF_MEMORIES
    )
    uri = AddressText(required=False, default=None, help_text=f"Only at or below this address. {_OF_MEMORIES}")
    trust = Choice(
        choices=tuple(trust.value for trust in Trust),
        required=False,
        default=None,
        help_text=f"Minimum trust. {_OF_MEMORIES}",
    )
    since = serializers.DateTimeField(required=False, default=None, help_text=_TIME)
    until = serializers.DateTimeField(required=False, default=None, help_text=f"Exclusive upper bound. {_TIME}")
    as_of = serializers.DateTimeField(
        required=False, default=None, help_text="Search what held and had been said at that time; now by default."
    )
    tags = TagWords(
        required=False,
        default=(),
        max_length=MOST_TAGS * (LONGEST_TAG + 2),
        help_text=f"Comma-separated; all of them must match. {_OF_MEMORIES}",
    )
    owner = Choice(
        choices=OWNERS,
        required=False,
        default=None,
        help_text=f"`mine` or `team`; defaults to both. {_OF_MEMORIES}",
    )
    min_chance = serializers.FloatField(
        min_value=0,
        max_value=1,
        required=False,
        default=None,
        help_text="Minimum chance of a memory that it is relevant. `find` judges only if this is given; `search` "
        "always does, and takes the workspace's setting by default. The six best are judged, and more while half of "
        "them have that chance.",
    )
    explain = serializers.BooleanField(
        required=False, default=False, help_text="Include the parts of each score, and the rounds of a search."
    )

    def validate_threshold(self, value: float) -> float:
        return _number(value)

    def validate_min_chance(self, value: float | None) -> float | None:
        return value if value is None else _number(value)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["since"] and attrs["until"] and attrs["until"] <= attrs["since"]:
            raise serializers.ValidationError({"until": ["Must be later than `since`."]}, code="invalid")
        if attrs["conversation_id"] and attrs["corpus"] == "memories":
            raise serializers.ValidationError({"conversation_id": ["Only messages are in one."]}, code="invalid")
        return attrs


def _number(value: float) -> float:
    if math.isnan(value):
        raise serializers.ValidationError("A valid number is required.", code="invalid")
    return value


class SearchParameters(FindQuery):
    """All parameters of both modes, for the OpenAPI schema."""

    mode = Choice(
        choices=MODES,
        required=False,
        default=WORDS,
        help_text="`words`: titles and messages that contain `q` (2 to 200 characters) verbatim; accepts only `limit`."
        " "
        "`find`: memories and messages by keywords and meaning; accepts all other parameters. `search`: the same "
        "parameters, with intent and the tree.",
    )
    limit = serializers.IntegerField(min_value=1, max_value=50, required=False, default=20)


class ScorePartsSerializer(OutputSerializer[ScoreParts]):
    """Weighted features; the score is their sum multiplied by the relevance."""

    lexical = serializers.FloatField(help_text="Shared words, weighted by rarity.")
    similarity = serializers.FloatField(help_text="Semantic similarity.")
    actor = serializers.FloatField(help_text="It is by or about a person named in the query.")
    date = serializers.FloatField(help_text="It is from the time named in the query.")
    short_question = serializers.FloatField()
    window = serializers.FloatField(help_text="Adjacent messages match the query.")


class HitSerializer(OutputSerializer[Hit]):
    """A memory, a message or an item of user memory; fields of the other kinds are null or empty."""

    kind = serializers.ChoiceField(choices=HIT_KINDS)
    id = serializers.UUIDField(help_text="Id of the memory, the message or the item of user memory.")
    score = serializers.FloatField(help_text="Comparable only within one response.")
    parts = ScorePartsSerializer(allow_null=True, help_text="Only with `explain`.")
    similarity = serializers.FloatField(help_text="From -1 to 1; 0 without a vector.")
    relevance = serializers.FloatField(help_text="What decay leaves of it; 1 for what does not decay.")
    chance = serializers.FloatField(
        allow_null=True, help_text="Of a memory: the chance that it is relevant to the query; null if not judged."
    )
    snippet = serializers.CharField()
    valid_from = serializers.DateTimeField(allow_null=True, help_text="Of a memory.")
    valid_to = serializers.DateTimeField(allow_null=True, help_text="Of a memory; null while it holds.")
    replaced_by = serializers.CharField(help_text="What superseded the fact that a message states; empty if none.")
    replaced_at = serializers.DateTimeField(allow_null=True, help_text="Since when.")
    disputed_by = serializers.CharField(help_text="A later memory that may contradict this one; empty if none.")
    occurred_at = serializers.DateTimeField()
    uri = serializers.CharField()
    abstract = serializers.CharField()
    category = serializers.CharField()
    trust = serializers.CharField(
        help_text="Of a memory; of a message `tool` where others could write in its conversation, else empty."
    )
    tags = serializers.ListField(child=serializers.CharField())
    owner_id = serializers.UUIDField(allow_null=True)
    version = serializers.IntegerField()
    conversation_id = serializers.UUIDField(allow_null=True)
    conversation_title = serializers.CharField()
    message_id = serializers.UUIDField(allow_null=True)
    index = serializers.IntegerField(allow_null=True)
    role = serializers.CharField()
    name = serializers.CharField(help_text="The author of the message, if known.")
    type = serializers.CharField(help_text="Of the item of user memory.")
    key = serializers.CharField(help_text="Of the item of user memory.")


class SearchResultSerializer(OutputSerializer[SearchResult]):
    """Search results, best first."""

    hits = HitSerializer(many=True)
    by_meaning = serializers.BooleanField(help_text="False if only words could be compared.")
    reason = serializers.CharField(
        help_text="The reason in that case: no_vectors_yet, nothing_to_compare or vector_not_made."
    )
    actor = serializers.CharField(allow_null=True, help_text="The person that the query was understood to be about.")
    for_several = serializers.BooleanField(
        help_text="Whether the query asks for several things: hits are spread over days, so scores need not descend."
    )


def find_query_of(query: Mapping[str, Any]) -> SearchQuery:
    """Return the search query for validated parameters."""
    same = (
        "top_k",
        "threshold",
        "min_chance",
        "corpus",
        "conversation_id",
        "category",
        "since",
        "until",
        "as_of",
        "tags",
        "owner",
        "explain",
    )
    trust = Trust(query["trust"]) if query["trust"] else None
    return SearchQuery(
        query=query["q"], within=query["uri"], trust_at_least=trust, **{name: query[name] for name in same}
    )
