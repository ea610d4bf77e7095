"""What a context pack looks like over HTTP."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.conventions.shapes import Choice, Input, Shape
from apps.api.conversations.compaction_shapes import RollingSummaryShape
from apps.api.conversations.message_shapes import PartShape, SummaryLineShape
from apps.compaction.records import LEVELS
from apps.context.selectors.packs import LARGEST_BUDGET
from apps.conversations.records import MESSAGE_ROLES
from apps.memory.records import PIN_CATEGORIES, USER_MEMORY_TYPES

FORMATS = ("plain", "openai", "anthropic")
ENGINE = ("enabled", "disabled")


class ContextQuery(Input):
    token_budget = serializers.IntegerField(
        min_value=1, max_value=LARGEST_BUDGET, required=False, default=None, help_text="By default, the policy's."
    )
    format = Choice(
        choices=FORMATS, required=False, default=None, help_text="Adds the pack in the words of a model's API."
    )


class MemoryInPackShape(Shape[Any]):
    id = serializers.UUIDField()
    type = serializers.ChoiceField(choices=USER_MEMORY_TYPES)
    key = serializers.CharField()
    content = serializers.CharField()


class PinInPackShape(Shape[Any]):
    id = serializers.UUIDField()
    category = serializers.ChoiceField(choices=PIN_CATEGORIES)
    content = serializers.CharField()
    message_id = serializers.UUIDField(allow_null=True)


class MessageInPackShape(Shape[Any]):
    """As the model sees it; `tokens` counts what is shown, `is_excerpt` says that it is not all."""

    id = serializers.UUIDField()
    index = serializers.IntegerField()
    role = serializers.ChoiceField(choices=MESSAGE_ROLES)
    name = serializers.CharField()
    content = serializers.CharField()
    parts = PartShape(many=True)
    tokens = serializers.IntegerField()
    is_excerpt = serializers.BooleanField()


class PackTokensShape(Shape[Any]):
    """By part, with headings and separators; together never above the budget."""

    system = serializers.IntegerField()
    user_memory = serializers.IntegerField()
    pinned_memory = serializers.IntegerField()
    rolling_summary = serializers.IntegerField()
    recent_messages = serializers.IntegerField()
    current_message = serializers.IntegerField()
    total = serializers.IntegerField()


class ByLevelShape(Shape[Any]):
    light = serializers.IntegerField()
    deep = serializers.IntegerField()
    aggressive = serializers.IntegerField()


class FieldLimitsShape(Shape[Any]):
    goals = serializers.IntegerField()
    decisions = serializers.IntegerField()
    requirements = serializers.IntegerField()
    current_plan = serializers.IntegerField()
    open_questions = serializers.IntegerField()
    definitions = serializers.IntegerField()
    references = serializers.IntegerField()


class PreservationLimitsShape(Shape[Any]):
    target = serializers.IntegerField()
    minimum = serializers.IntegerField()


class LimitsShape(Shape[Any]):
    """Of the policy in force."""

    thresholds = ByLevelShape(help_text="Live tokens at which each level begins.")
    targets = ByLevelShape(help_text="Live tokens at which a fold of each level stops.")
    summary_lines = FieldLimitsShape(help_text="Lines that each field of the summary may hold.")
    preservation = PreservationLimitsShape(help_text="In percent.")


class LeftOutShape(Shape[Any]):
    """What the budget had no room for."""

    user_memory = serializers.ListField(child=serializers.UUIDField())
    summary_lines = SummaryLineShape(many=True)
    excerpts = serializers.ListField(child=serializers.UUIDField(), help_text="Messages shown in part.")
    messages_before = serializers.IntegerField(
        allow_null=True, help_text="Live messages before this index found no room."
    )


class MetadataShape(Shape[Any]):
    conversation_id = serializers.UUIDField()
    budget = serializers.IntegerField()
    tokens = PackTokensShape()
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
    estimator = serializers.CharField()
    not_due_because = serializers.CharField(help_text="Why no automatic compaction is due; empty when one is.")
    warnings = serializers.ListField(child=serializers.CharField())
    limits = LimitsShape()
    left_out = LeftOutShape()


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "object", "additionalProperties": {}}]})
class RenderedField(serializers.JSONField):
    """A text for `plain`; `messages`, and for Anthropic `system`, for the others."""


class ContextShape(Shape[Any]):
    """In the order in which a model reads it."""

    system_prompt = serializers.CharField()
    user_memory = MemoryInPackShape(many=True)
    pinned_memory = PinInPackShape(many=True)
    rolling_summary = RollingSummaryShape()
    recent_messages = MessageInPackShape(many=True)
    current_message = MessageInPackShape(allow_null=True, help_text="The user's, where it still waits for its reply.")
    metadata = MetadataShape()
    rendered = RenderedField(required=False, help_text="Only with `format`.")
