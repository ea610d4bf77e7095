"""Request and response serializers of context packs."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.compaction.compaction_serializers import RollingSummarySerializer
from apps.api.conversations.live_serializers import NotDueSerializer
from apps.api.conversations.message_serializers import PartSerializer, SummaryLineSerializer
from apps.api.conversations.serializers import ExactText
from apps.api.framework.serializers import Choice, Input, OutputSerializer, TokenBudget
from apps.compaction.records import LEVELS
from apps.context.records import BudgetSource, EpochReason, PackWarning, PackWarningCode, PrivateOmission
from apps.conversations.records import MESSAGE_ROLES
from apps.engine.pack.layers import Layer
from apps.engine.pack.negotiation import LARGEST_BUDGET
from apps.engine.pack.strategies import Strategy
from apps.memory.records import PIN_CATEGORIES, USER_MEMORY_TYPES

FORMATS = ("plain", "openai", "anthropic")
# User memory is not retrieved: packs contain all of it.
RETRIEVED_KINDS = ("memory", "message")
SCORE_HELP = "Ranks it among the hits: the sum of the parts of a search's score, times the present relevance."
CHANCE_HELP = "The chance that it is relevant to the message, 0 to 1; null if that was not judged."
OTHER_CHAT_HELP = "The conversation that a message is from, if it is another one than the pack's; otherwise null."
ENGINE = ("enabled", "disabled")
BUDGET_SOURCES = [source.value for source in BudgetSource]
STRATEGIES = [strategy.value for strategy in Strategy]
EPOCH_REASONS = tuple(EpochReason)
ELASTICITY_HELP = "Orders the layers that yielded in the trace, the most elastic first. It changes no grant."
PACK_WARNINGS = tuple(PackWarningCode)
PRIVATE_OMISSIONS = tuple(PrivateOmission)
PRIVATE_MEMORY_HELP = (
    "Why it has nothing private: `audience` if others read the conversation and its owner does not allow it, or if it"
    " is somebody else's. Null if private memories are used."
)


class ContextQuery(Input):
    token_budget = serializers.IntegerField(
        min_value=1,
        max_value=LARGEST_BUDGET,
        required=False,
        default=None,
        help_text="Defaults to the budget of the conversation, the user or the workspace.",
    )
    format = Choice(
        choices=FORMATS,
        required=False,
        default=None,
        help_text="Also render the pack for a provider's API. It then counts as sent.",
    )


class ContextPreviewInput(Input):
    message = ExactText(help_text="A hypothetical next message of the user. It is not stored.")
    token_budget = TokenBudget(help_text="Defaults to the budget of the conversation, the user or the workspace.")
    format = Choice(
        choices=FORMATS, required=False, default=None, help_text="Also render the pack for a provider's API."
    )
    as_of = serializers.DateTimeField(
        required=False, default=None, help_text="Retrieve what held and had been said at that time; now by default."
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
    """A message as the model sees it; `tokens` counts the included text, which `is_excerpt` marks as partial."""

    id = serializers.UUIDField()
    index = serializers.IntegerField()
    role = serializers.ChoiceField(choices=MESSAGE_ROLES)
    name = serializers.CharField()
    content = serializers.CharField()
    parts = PartSerializer(many=True)
    tokens = serializers.IntegerField()
    is_excerpt = serializers.BooleanField()


class HypotheticalMessageSerializer(MessageInPackSerializer):
    """A message that is not stored, so it has no id; its index is that of the next message."""

    id = None  # type: ignore[assignment]  # Django REST framework's way to remove an inherited field


class RetrievedItemSerializer(OutputSerializer[Any]):
    """A memory or an earlier message that was retrieved for the current message."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=RETRIEVED_KINDS)
    origin = serializers.CharField(
        help_text="The memory's address, or the message's index (unless it is of another chat), author and time."
    )
    text = serializers.CharField()
    correction = serializers.CharField(
        help_text="What superseded it, or may have; quoted with it. Empty if nothing did."
    )
    index = serializers.IntegerField(allow_null=True, help_text="Index of the message; null for a memory.")
    conversation_id = serializers.UUIDField(allow_null=True, help_text=OTHER_CHAT_HELP)
    conversation_title = serializers.CharField(help_text="Title of that conversation; otherwise empty.")
    score = serializers.FloatField(help_text=SCORE_HELP)
    similarity = serializers.FloatField(help_text="Cosine similarity of the meaning; 0 without an embedding.")
    chance = serializers.FloatField(allow_null=True, help_text=CHANCE_HELP)
    tokens = serializers.IntegerField(help_text="Stored tokens of its quote, with its source.")
    again = serializers.BooleanField(help_text="Retrieved for the last reply, and quoted once more.")


class PackTokensSerializer(OutputSerializer[Any]):
    """Tokens of each part with headings and separators, by the estimator; the total never exceeds the budget."""

    system = serializers.IntegerField()
    identity = serializers.IntegerField(help_text="Memories about who the user is.")
    user_memory = serializers.IntegerField()
    preferences = serializers.IntegerField(help_text="Memories of the tree about what the user prefers.")
    pinned_memory = serializers.IntegerField()
    topics = serializers.IntegerField(help_text="Memories about the lasting topics of the conversation.")
    entities = serializers.IntegerField(help_text="Memories about the entities that the conversation names.")
    rolling_summary = serializers.IntegerField(
        help_text="With the arc and the segment summaries of compacted messages."
    )
    earlier = serializers.IntegerField(help_text="What represents the live messages before the recent ones.")
    recent_messages = serializers.IntegerField()
    just_in_time = serializers.IntegerField(help_text="Items retrieved for the current message.")
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
    """Limits from the policy in effect."""

    thresholds = ByLevelSerializer(help_text="Live tokens at which each level starts.")
    targets = ByLevelSerializer(help_text="Live tokens at which a compaction of each level stops.")
    summary_lines = FieldLimitsSerializer(help_text="Maximum number of lines of each section of the summary.")
    preservation = PreservationLimitsSerializer(help_text="In percent.")


class OmittedSerializer(OutputSerializer[Any]):
    """Content omitted because the budget did not suffice, or because of who reads the conversation."""

    user_memory = serializers.ListField(child=serializers.UUIDField())
    summary_lines = SummaryLineSerializer(many=True)
    excerpts = serializers.ListField(child=serializers.UUIDField(), help_text="Messages included as excerpts.")
    messages_before = serializers.IntegerField(
        allow_null=True, help_text="Live messages before this index are not included verbatim."
    )
    retrieved = serializers.ListField(
        child=serializers.UUIDField(), help_text="Ids of retrieved items that were omitted."
    )
    identity = serializers.ListField(
        child=serializers.UUIDField(), help_text="Memories about who the user is that were omitted or cut."
    )
    preferences = serializers.ListField(
        child=serializers.UUIDField(), help_text="Memories about the user's preferences that were omitted or cut."
    )
    topics = serializers.ListField(
        child=serializers.UUIDField(), help_text="Memories about the conversation's topics that were omitted or cut."
    )
    entities = serializers.ListField(
        child=serializers.UUIDField(), help_text="Memories about the conversation's entities that were omitted or cut."
    )
    private_memory = serializers.ChoiceField(choices=PRIVATE_OMISSIONS, allow_null=True, help_text=PRIVATE_MEMORY_HELP)


class EstimatorSerializer(OutputSerializer[Any]):
    """The estimator that counted the tokens."""

    name = serializers.CharField()
    factor = serializers.FloatField(help_text="Tokens reported by the provider per estimated token; 1 until known.")
    calls = serializers.IntegerField(help_text="Number of calls that the factor is based on.")
    fallback_from = serializers.CharField(help_text="The preferred estimator, if it is unavailable.")


class CoverageSerializer(OutputSerializer[Any]):
    """How the pack represents the live messages before the current one, and compacted messages."""

    shown = serializers.IntegerField(help_text="Verbatim, long ones as excerpts.")
    key = serializers.IntegerField(help_text="Quoted as key messages.")
    summarized = serializers.IntegerField(help_text="Covered by a segment summary.")
    dropped = serializers.IntegerField(help_text="Not represented.")
    compacted = serializers.IntegerField(help_text="Compacted messages that are included verbatim again.")


class PackWarningSerializer(OutputSerializer[PackWarning]):
    """`low_preservation`: `percent` of the conversation is in the context, less than the policy's `minimum`."""

    code = serializers.ChoiceField(choices=PACK_WARNINGS)
    params = serializers.DictField(child=serializers.FloatField())


class EpochSerializer(OutputSerializer[Any]):
    """A cache epoch: while it lasts, everything before the recent messages stays identical byte for byte."""

    number = serializers.IntegerField()
    reasons = serializers.ListField(
        child=serializers.ChoiceField(choices=EPOCH_REASONS), help_text="Why it started; empty for the first."
    )
    began_at = serializers.DateTimeField()
    is_new = serializers.BooleanField(help_text="Whether it started with this pack.")


class StabilitySerializer(OutputSerializer[Any]):
    """The stable prefix: leading tokens identical to those of the previous pack, in estimated tokens."""

    same = serializers.IntegerField()
    previous = serializers.IntegerField()
    share = serializers.FloatField()


class PackStateSerializer(OutputSerializer[Any]):
    """How a pack was built."""

    budget = serializers.IntegerField()
    budget_source = serializers.ChoiceField(choices=BUDGET_SOURCES)
    pack_tokens = serializers.IntegerField(help_text="Tokens of the whole pack, by the estimator.")
    free_tokens = serializers.IntegerField(help_text="Tokens of the budget that the pack does not use.")
    fill_percent = serializers.FloatField(help_text="Share of the budget that the pack uses.")
    estimator = EstimatorSerializer()
    strategy = serializers.ChoiceField(choices=STRATEGIES)
    coverage = CoverageSerializer()
    epoch = EpochSerializer(allow_null=True, help_text="Null if the engine is disabled, and for a preview.")
    stability = StabilitySerializer(
        allow_null=True,
        help_text="Compared with the last pack sent to this reader within this budget; null if there is none.",
    )


class SegmentSerializer(OutputSerializer[Any]):
    """A span of messages represented by its segment summary; both indexes are inclusive."""

    level = serializers.IntegerField()
    first_index = serializers.IntegerField()
    last_index = serializers.IntegerField()
    tokens = serializers.IntegerField()


class LayerMemorySerializer(OutputSerializer[Any]):
    """A memory of the tree in one of the first two layers, perhaps cut."""

    id = serializers.UUIDField()
    uri = serializers.CharField()
    text = serializers.CharField()
    tokens = serializers.IntegerField(help_text="Stored tokens of its quote, with its address.")


class TermsSerializer(OutputSerializer[Any]):
    """A layer's content size, its terms and its granted tokens, in tokens of the default estimate."""

    layer = serializers.ChoiceField(choices=[layer.value for layer in Layer])
    content = serializers.IntegerField()
    minimum = serializers.IntegerField()
    ideal = serializers.IntegerField()
    maximum = serializers.IntegerField()
    priority = serializers.IntegerField()
    elasticity = serializers.FloatField(help_text=ELASTICITY_HELP)
    granted = serializers.IntegerField()


class LayerSerializer(TermsSerializer):
    """A layer of the pack: tokens granted when the epoch started, and tokens `used` now."""

    used = serializers.IntegerField()
    text = serializers.CharField(help_text="The part of it that precedes the messages.")
    segments = SegmentSerializer(many=True, help_text="The segments that it summarizes.")
    memories = LayerMemorySerializer(many=True, help_text="The memories about the user in it.")


class MetadataSerializer(PackStateSerializer):
    conversation_id = serializers.UUIDField()
    tokens = PackTokensSerializer()
    level = serializers.ChoiceField(
        choices=LEVELS, allow_null=True, help_text="Level that the live tokens require; null below the first threshold."
    )
    live_tokens = serializers.IntegerField()
    compactable_tokens = serializers.IntegerField()
    total_tokens = serializers.IntegerField(help_text="Tokens of all messages that are not excluded.")
    preservation_ratio = serializers.FloatField(
        help_text="Tokens of pins, summary and live messages as a percentage of all."
    )
    summary_version = serializers.IntegerField()
    compaction_count = serializers.IntegerField()
    message_count = serializers.IntegerField()
    live_count = serializers.IntegerField()
    engine = serializers.ChoiceField(choices=ENGINE)
    not_due_reason = NotDueSerializer(allow_null=True, help_text="Why no automatic compaction is due; null if one is.")
    warnings = PackWarningSerializer(many=True)
    limits = LimitsSerializer()
    omitted = OmittedSerializer()


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "object", "additionalProperties": {}}]})
class RenderedField(serializers.JSONField):
    """A string for `plain`; otherwise an object with `messages` and, for Anthropic, `system`."""


class ContextSerializer(OutputSerializer[Any]):
    """A context pack, in the order in which the model reads it."""

    system_prompt = serializers.CharField()
    user_memory = MemoryInPackSerializer(many=True)
    pinned_memory = PinInPackSerializer(many=True)
    rolling_summary = RollingSummarySerializer()
    recent_messages = MessageInPackSerializer(many=True)
    retrieved = RetrievedItemSerializer(many=True, help_text="Quoted directly before the current message.")
    current_message = MessageInPackSerializer(
        allow_null=True, help_text="The user's message, if it still waits for a reply."
    )
    metadata = MetadataSerializer()
    layers = LayerSerializer(many=True)
    rendered = RenderedField(required=False, help_text="Only with `format`.")


class ContextPreviewSerializer(ContextSerializer):
    """The context pack that a hypothetical message would get."""

    current_message = HypotheticalMessageSerializer()
