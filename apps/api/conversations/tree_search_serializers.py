"""Response serializers of the search in the memory tree."""

from __future__ import annotations

from typing import Any, cast

from rest_framework import serializers

from apps.api.conversations.search_serializers import HitSerializer
from apps.api.framework.serializers import OutputSerializer
from apps.engine.memory.search.intent import Intent, SubQuery, SubQueryKind
from apps.engine.memory.search.rounds import End, Round, TreeScore, TreeWeights
from apps.memory.records.search import Hit
from apps.memory.records.tree_search import CHIT_CHAT, NOTHING_RELEVANT, TreeHit, TreeSearchResult


class SubQuerySerializer(OutputSerializer[SubQuery]):
    kind = serializers.ChoiceField(
        choices=[kind.value for kind in SubQueryKind],
        help_text="`MEMORY` searches `mem://user`, `PATTERN` searches `mem://agent`, `RESOURCE` searches messages.",
    )
    text = serializers.CharField()


class IntentSerializer(OutputSerializer[Intent]):
    by = serializers.CharField(help_text="`rules`, or the model that read the query.")
    sub_queries = SubQuerySerializer(many=True, help_text="None for chit-chat.")


class TreeScoreSerializer(OutputSerializer[TreeScore]):
    """Parts of the score, each normalized within the response: 0.5 similarity + 0.3 relevance + 0.2 parent."""

    similarity = serializers.FloatField(help_text="Words and meaning, before decay.")
    relevance = serializers.FloatField(help_text="What decay leaves of the memory; 1 for what does not decay.")
    parent_score = serializers.FloatField(help_text="The best similarity among the others in its directory.")


class TreeWeightsSerializer(OutputSerializer[TreeWeights]):
    similarity = serializers.FloatField()
    relevance = serializers.FloatField()
    parent_score = serializers.FloatField()


class TreeHitSerializer(HitSerializer):
    """A result of `find`, with the score in the tree, and a memory's overview (L1)."""

    score = serializers.FloatField(help_text="From 0 to 1; comparable only within one response.")
    tree_score = TreeScoreSerializer()
    overview = serializers.CharField(help_text="Of a memory: its L1, or all of it if it is short.")
    more = serializers.CharField(help_text="Where the whole memory (L2) is read; empty if the overview is all of it.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        found: TreeHit = instance
        more = f"/api/memories/{found.hit.id}" if found.has_more else ""
        values = {**_fields_of(found), "score": found.score.total, "tree_score": found.score}
        return super().to_representation(cast(Hit, {**values, "overview": found.overview, "more": more}))


class RoundSerializer(OutputSerializer[Round]):
    number = serializers.IntegerField()
    directories = serializers.ListField(
        child=serializers.CharField(),
        help_text="Addresses of the best results' directories, into which this round looked.",
    )
    added = serializers.IntegerField(help_text="Memories that were found there and had not been before.")
    best = serializers.ListField(child=serializers.UUIDField(), help_text="The best results after it, best first.")


class TreeSearchResultSerializer(OutputSerializer[TreeSearchResult]):
    """Results, best first; none if the search abstains."""

    hits = TreeHitSerializer(many=True)
    intent = IntentSerializer()
    abstained = serializers.ChoiceField(
        choices=(CHIT_CHAT, NOTHING_RELEVANT),
        allow_blank=True,
        help_text="Why there are no results: the query asks for nothing, or nothing is relevant; empty if neither.",
    )
    degraded = serializers.ListField(
        child=serializers.CharField(),
        help_text="Codes of what failed and was done without: the model that reads the intent, the query's embedding, "
        "the judge of relevance, or rounds that the deadline cut.",
    )
    rounds = RoundSerializer(many=True, help_text="With `explain`; else empty.")
    end = serializers.ChoiceField(
        choices=[end.value for end in End],
        allow_null=True,
        help_text="Why the rounds ended: the same results three times, nothing left to look into, six rounds, or the "
        "deadline.",
    )
    weights = TreeWeightsSerializer(help_text="Of the parts of each score, which is their weighted sum.")


def _fields_of(found: TreeHit) -> dict[str, Any]:
    return {name: getattr(found.hit, name) for name in HitSerializer._declared_fields}
