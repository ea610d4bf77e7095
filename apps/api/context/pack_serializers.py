"""What a context pack looks like over HTTP."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.compaction.compaction_serializers import RollingSummarySerializer
from apps.api.conversations.message_serializers import PartSerializer, SummaryLineSerializer
from apps.api.framework.serializers import Choice, Input, OutputSerializer
from apps.compaction.records import LEVELS
from apps.context.records import BudgetSource
from apps.conversations.records import MESSAGE_ROLES
from apps.engine.pack.layers import Layer
from apps.engine.pack.negotiation import LARGEST_BUDGET
from apps.engine.pack.strategies import Strategy
from apps.memory.records import PIN_CATEGORIES, USER_MEMORY_TYPES
from apps.memory.records.search import HIT_KINDS

FORMATS = ("plain", "openai", "anthropic")
ENGINE = ("enabled", "disabled")
BUDGET_SOURCES = [source.value for source in BudgetSource]
STRATEGIES = [strategy.value for strategy in Strategy]


class ContextQuery(Input):
    token_budget = serializers.IntegerField(
        min_value=1,
        max_value=LARGEST_BUDGET,
        required=False,
        default=None,
        help_text="By default the conversation's, the person's or the workspace's.",
    )
    format = Choice(
        choices=FORMATS,
        required=False,
        default=None,
        help_text="Adds the pack in the words of a model's API. It counts as sent: the next one is compared with it.",
    )


class MemoryInPackSerializer(OutputSerializer[Any]):
    id = serializers.UUIDField()
    type = serializers.ChoiceField(choices=USER_MEMORY_TYPES)
    key = serializers.CharField()
    content = serializers.CharField()


class PinInPackSerializer(OutputSerializer[Any]):
    id = serializers.UUIDField()
    category = serializers.ChoiceField(choices=PIN_CATEGORIES)
    content = serializers.CharField()
    message_id = serializers.UUIDField(allow_null=True)


class MessageInPackSerializer(OutputSerializer[Any]):
    """As the model sees it; `tokens` counts what is shown, `is_excerpt` says that it is not all."""

    id = serializers.UUIDField()
    index = serializers.IntegerField()
    role = serializers.ChoiceField(choices=MESSAGE_ROLES)
    name = serializers.CharField()
    content = serializers.CharField()
    parts = PartSerializer(many=True)
    tokens = serializers.IntegerField()
    is_excerpt = serializers.BooleanField()


class LookedUpSerializer(OutputSerializer[Any]):
    """A memory, or an earlier message of the conversation, that was found for the current message."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=HIT_KINDS)
    origin = serializers.CharField(help_text="A memory's address; a message's index, who said it, and when.")
    text = serializers.CharField()
    index = serializers.IntegerField(allow_null=True, help_text="A message's.")


class PackTokensSerializer(OutputSerializer[Any]):
    """By part, with headings and separators, as the estimator counts them; together never above the budget."""

    system = serializers.IntegerField()
    user_memory = serializers.IntegerField()
    pinned_memory = serializers.IntegerField()
    rolling_summary = serializers.IntegerField(help_text="With the arc, and the segments of what is folded.")
    earlier = serializers.IntegerField(help_text="What stands for the live messages before the recent ones.")
    recent_messages = serializers.IntegerField()
    just_in_time = serializers.IntegerField(help_text="What was looked up for the current message.")
    current_message = serializers.IntegerField()
    total = serializers.IntegerField()


class ByLevelSerializer(OutputSerializer[Any]):
    light = serializers.IntegerField()
    deep = serializers.IntegerField()
    aggressive = serializers.IntegerField()


class FieldLimitsSerializer(OutputSerializer[Any]):
    goals = serializers.IntegerField()
    decisions = serializers.IntegerField()
    requirements = serializers.IntegerField()
    current_plan = serializers.IntegerField()
    open_questions = serializers.IntegerField()
    definitions = serializers.IntegerField()
    references = serializers.IntegerField()


class PreservationLimitsSerializer(OutputSerializer[Any]):
    target = serializers.IntegerField()
    minimum = serializers.IntegerField()


class LimitsSerializer(OutputSerializer[Any]):
    """Of the policy in force."""

    thresholds = ByLevelSerializer(help_text="Live tokens at which each level begins.")
    targets = ByLevelSerializer(help_text="Live tokens at which a fold of each level stops.")
    summary_lines = FieldLimitsSerializer(help_text="Lines that each field of the summary may hold.")
    preservation = PreservationLimitsSerializer(help_text="In percent.")


class LeftOutSerializer(OutputSerializer[Any]):
    """What the budget had no room for."""

    user_memory = serializers.ListField(child=serializers.UUIDField())
    summary_lines = SummaryLineSerializer(many=True)
    excerpts = serializers.ListField(child=serializers.UUIDField(), help_text="Messages shown in part.")
    messages_before = serializers.IntegerField(
        allow_null=True, help_text="Live messages before this index do not stand in their own words."
    )
    looked_up = serializers.ListField(child=serializers.UUIDField(), help_text="Found for the current message.")


class EstimatorSerializer(OutputSerializer[Any]):
    """What counted the tokens."""

    name = serializers.CharField()
    factor = serializers.FloatField(help_text="What the model's provider finds for each token of it; 1 until known.")
    calls = serializers.IntegerField(help_text="So many calls the factor rests on.")
    fallback_from = serializers.CharField(help_text="The estimator that was wanted and cannot be had.")


class CoverageSerializer(OutputSerializer[Any]):
    """How the live messages before the current one stand in the pack."""

    shown = serializers.IntegerField(help_text="In their own words, long ones as excerpts.")
    key = serializers.IntegerField(help_text="Quoted among the weightiest.")
    summarised = serializers.IntegerField(help_text="Told by the summary of a segment.")
    dropped = serializers.IntegerField(help_text="Not at all.")


class EpochSerializer(OutputSerializer[Any]):
    """Everything before the recent messages, and where they begin, stays byte for byte while an epoch lasts."""

    number = serializers.IntegerField()
    because = serializers.CharField(help_text="Why it began; empty for the first.")
    began_at = serializers.DateTimeField()
    is_new = serializers.BooleanField(help_text="It began with this pack.")


class StabilitySerializer(OutputSerializer[Any]):
    """Leading tokens that are byte for byte those of the last pack, of all that it had; in stored tokens."""

    same = serializers.IntegerField()
    previous = serializers.IntegerField()
    share = serializers.FloatField()


class PackStateSerializer(OutputSerializer[Any]):
    """How a pack came about."""

    budget = serializers.IntegerField()
    budget_source = serializers.ChoiceField(choices=BUDGET_SOURCES)
    pack_tokens = serializers.IntegerField(help_text="Of the whole pack, as the estimator counts.")
    estimator = EstimatorSerializer()
    strategy = serializers.ChoiceField(choices=STRATEGIES)
    coverage = CoverageSerializer()
    epoch = EpochSerializer(allow_null=True, help_text="Empty where the engine is switched off.")
    stability = StabilitySerializer(
        allow_null=True, help_text="Beside the last pack that was sent to this reader within this budget, if any."
    )


class ToldSegmentSerializer(OutputSerializer[Any]):
    """A stretch of messages that a summary of it stands for; both indexes are in it."""

    level = serializers.IntegerField()
    first_index = serializers.IntegerField()
    last_index = serializers.IntegerField()
    tokens = serializers.IntegerField()


class TermsSerializer(OutputSerializer[Any]):
    """What a layer has to say, its terms within that, and what it was granted, in stored tokens (characters/4)."""

    layer = serializers.ChoiceField(choices=[layer.value for layer in Layer])
    content = serializers.IntegerField()
    minimum = serializers.IntegerField()
    ideal = serializers.IntegerField()
    maximum = serializers.IntegerField()
    priority = serializers.IntegerField()
    elasticity = serializers.FloatField()
    granted = serializers.IntegerField()


class LayerSerializer(TermsSerializer):
    """Granted when the epoch began; `used` is what it takes now."""

    used = serializers.IntegerField()
    text = serializers.CharField(help_text="What of it stands before the messages.")
    told = ToldSegmentSerializer(many=True, help_text="The segments that it tells.")


class MetadataSerializer(PackStateSerializer):
    conversation_id = serializers.UUIDField()
    tokens = PackTokensSerializer()
    level = serializers.ChoiceField(
        choices=LEVELS, allow_null=True, help_text="What the live tokens call for; empty below the first threshold."
    )
    live_tokens = serializers.IntegerField()
    foldable_tokens = serializers.IntegerField()
    total_tokens = serializers.IntegerField(help_text="All that was said and not excluded.")
    preservation_ratio = serializers.FloatField(help_text="Pins, summary and live messages by all that was said, in %.")
    summary_version = serializers.IntegerField()
    compaction_count = serializers.IntegerField()
    message_count = serializers.IntegerField()
    live_count = serializers.IntegerField()
    engine = serializers.ChoiceField(choices=ENGINE)
    not_due_because = serializers.CharField(help_text="Why no automatic compaction is due; empty when one is.")
    warnings = serializers.ListField(child=serializers.CharField())
    limits = LimitsSerializer()
    left_out = LeftOutSerializer()


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "object", "additionalProperties": {}}]})
class RenderedField(serializers.JSONField):
    """A text for `plain`; `messages`, and for Anthropic `system`, for the others."""


class ContextSerializer(OutputSerializer[Any]):
    """In the order in which a model reads it."""

    system_prompt = serializers.CharField()
    user_memory = MemoryInPackSerializer(many=True)
    pinned_memory = PinInPackSerializer(many=True)
    rolling_summary = RollingSummarySerializer()
    recent_messages = MessageInPackSerializer(many=True)
    looked_up = LookedUpSerializer(many=True, help_text="Quoted right before the current message.")
    current_message = MessageInPackSerializer(
        allow_null=True, help_text="The user's, where it still waits for its reply."
    )
    metadata = MetadataSerializer()
    layers = LayerSerializer(many=True)
    rendered = RenderedField(required=False, help_text="Only with `format`.")
