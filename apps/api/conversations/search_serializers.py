"""What a search by words and meaning takes and gives."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.fields import empty

from apps.api.framework.memory_uris import AddressText
from apps.api.framework.serializers import Choice, Input, OutputSerializer, Text
from apps.engine.memory.categories import Category
from apps.engine.memory.trust import Trust
from apps.memory.records.search import CORPORA, HIT_KINDS, OWNERS, FindWish, Found, Hit, ScoreParts

WORDS, FIND = "words", "find"
MODES = (WORDS, FIND)
LONGEST_QUESTION = 2_000
MOST_HITS = 100
LONGEST_TAG, MOST_TAGS = 64, 20
_OF_MEMORIES = "Of memories; leaves messages out."
_TIME = "Of the fact, or of when it was said."


class TagWords(Text):
    """Words with commas between them."""

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
    q = Text(max_length=LONGEST_QUESTION, help_text="A question, or words.")
    top_k = serializers.IntegerField(
        min_value=1, max_value=MOST_HITS, required=False, default=10, help_text="How many at most, the best first."
    )
    threshold = serializers.FloatField(
        min_value=0,
        max_value=1,
        required=False,
        default=0.0,
        help_text="The least similarity of meaning; what has no vector yet must share a word instead.",
    )
    corpus = Choice(choices=CORPORA, required=False, default="memories")
    conversation_id = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="Of messages only those of this conversation."
    )
    category = Choice(
        choices=tuple(category.value for category in Category), required=False, default=None, help_text=_OF_MEMORIES
    )
    uri = AddressText(required=False, default=None, help_text=f"At or below this address. {_OF_MEMORIES}")
    trust = Choice(
        choices=tuple(trust.value for trust in Trust),
        required=False,
        default=None,
        help_text=f"At least so trusted. {_OF_MEMORIES}",
    )
    since = serializers.DateTimeField(required=False, default=None, help_text=_TIME)
    until = serializers.DateTimeField(required=False, default=None, help_text=f"Before it. {_TIME}")
    tags = TagWords(
        required=False, default=(), max_length=MOST_TAGS * (LONGEST_TAG + 2), help_text=f"All of them. {_OF_MEMORIES}"
    )
    owner = Choice(
        choices=OWNERS,
        required=False,
        default=None,
        help_text=f"`mine` or `team`; both where nothing is said. {_OF_MEMORIES}",
    )
    explain = serializers.BooleanField(required=False, default=False, help_text="Tell the parts of each score.")

    def validate_threshold(self, value: float) -> float:
        if math.isnan(value):
            raise serializers.ValidationError("A valid number is required.", code="invalid")
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["since"] and attrs["until"] and attrs["until"] <= attrs["since"]:
            raise serializers.ValidationError({"until": ["Must be later than `since`."]}, code="invalid")
        if attrs["conversation_id"] and attrs["corpus"] == "memories":
            raise serializers.ValidationError({"conversation_id": ["Only messages are in one."]}, code="invalid")
        return attrs


class SearchParameters(FindQuery):
    """For the description: every parameter of both modes."""

    mode = Choice(
        choices=MODES,
        required=False,
        default=WORDS,
        help_text="`words`: titles and messages that hold `q`, 2 to 200 characters, as it stands; takes `limit` alone. "
        "`find`: memories and messages by words and meaning, with all the others.",
    )
    limit = serializers.IntegerField(min_value=1, max_value=50, required=False, default=20)


class ScorePartsSerializer(OutputSerializer[ScoreParts]):
    """What each sign added; their sum times the relevance is the score."""

    lexical = serializers.FloatField(help_text="Words in common, the rare ones first.")
    similarity = serializers.FloatField(help_text="Meaning.")
    actor = serializers.FloatField(help_text="It is by or about whom the question names.")
    date = serializers.FloatField(help_text="It is of the time that the question names.")
    short_question = serializers.FloatField()
    following = serializers.FloatField(help_text="It answers a question that fits.")
    preceding_question = serializers.FloatField()
    window = serializers.FloatField(help_text="Its neighbours fit.")
    session = serializers.FloatField(help_text="What was said around it fits.")


class HitSerializer(OutputSerializer[Hit]):
    """A memory or a message. What belongs to the other kind is null or empty."""

    kind = serializers.ChoiceField(choices=HIT_KINDS)
    id = serializers.UUIDField(help_text="Of the memory, or of the message.")
    score = serializers.FloatField(help_text="Compares the hits of one answer, and no others.")
    parts = ScorePartsSerializer(allow_null=True, help_text="With `explain`.")
    similarity = serializers.FloatField(help_text="From -1 to 1; 0 where it has no vector yet.")
    relevance = serializers.FloatField()
    snippet = serializers.CharField()
    occurred_at = serializers.DateTimeField()
    uri = serializers.CharField()
    abstract = serializers.CharField()
    category = serializers.CharField()
    trust = serializers.CharField()
    tags = serializers.ListField(child=serializers.CharField())
    owner_id = serializers.UUIDField(allow_null=True)
    version = serializers.IntegerField()
    conversation_id = serializers.UUIDField(allow_null=True)
    message_id = serializers.UUIDField(allow_null=True)
    index = serializers.IntegerField(allow_null=True)
    role = serializers.CharField()
    name = serializers.CharField(help_text="Who said it, where the message tells.")


class FoundHitsSerializer(OutputSerializer[Found]):
    """The best first."""

    hits = HitSerializer(many=True)
    by_meaning = serializers.BooleanField(help_text="False where only words could be compared.")
    because = serializers.CharField(help_text="Why, then: no_vectors_yet, nothing_to_compare or vector_not_made.")
    actor = serializers.CharField(allow_null=True, help_text="Whom the question was taken to be about.")


def find_query_of(query: Mapping[str, Any]) -> FindWish:
    """What a validated query looks for."""
    same = ("top_k", "threshold", "corpus", "conversation_id", "category", "since", "until", "tags", "owner", "explain")
    trust = Trust(query["trust"]) if query["trust"] else None
    return FindWish(query=query["q"], within=query["uri"], trust_at_least=trust, **{name: query[name] for name in same})
