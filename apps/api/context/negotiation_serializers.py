"""Request and response serializers of budget negotiation."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from rest_framework import serializers

from apps.api.context.pack_serializers import (
    BUDGET_SOURCES,
    ELASTICITY_HELP,
    ENGINE,
    STRATEGIES,
    EstimatorSerializer,
    TermsSerializer,
)
from apps.api.conversations.serializers import ExactText
from apps.api.framework.serializers import Choice, Flag, Input, Number, OutputSerializer, TokenBudget, Whole
from apps.engine.pack.layers import Depth, Layer
from apps.engine.pack.negotiation import LARGEST_BUDGET, Event

DEPTHS = [depth.value for depth in Depth]
# The current message is always included in full, so it has no terms.
_ASKING = [layer for layer in Layer if layer is not Layer.MESSAGE]
_RISING = ("minimum", "ideal", "maximum")


class Tokens(Whole):
    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 0, "max_value": LARGEST_BUDGET, "required": False, **options})


class TermsInput(Input):
    """Terms that replace a layer's own; absent fields keep their values."""

    minimum = Tokens()
    ideal = Tokens()
    maximum = Tokens()
    priority = Whole(min_value=0, max_value=100, required=False)
    elasticity = Number(min_value=0, max_value=1, required=False, help_text=ELASTICITY_HELP)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        for low, high in pairwise(name for name in _RISING if name in attrs):
            if attrs[low] > attrs[high]:
                fault = {low: f"The {low} is larger than the {high}."}
                raise serializers.ValidationError(fault, code="terms_cross")
        return attrs


class TermsByLayerInput(Input):
    def get_fields(self) -> dict[str, Any]:
        return {layer.value: TermsInput(required=False) for layer in _ASKING}


class ContentsInput(Input):
    def get_fields(self) -> dict[str, Any]:
        return {layer.value: Tokens() for layer in _ASKING}


class NegotiationInput(Input):
    token_budget = TokenBudget(help_text="Defaults to the budget that a pack would get.")
    message = ExactText(
        required=False,
        allow_blank=True,
        default="",
        help_text="A hypothetical next message; defaults to the message that waits for a reply, if any.",
    )
    knowledge_depth = Choice(choices=DEPTHS, required=False, help_text="Defaults to your own setting.")
    history_first = Flag(required=False, help_text="Defaults to your own setting.")
    layers = TermsByLayerInput(required=False, default=dict, help_text="Terms to override, by layer.")
    contents = ContentsInput(
        required=False,
        default=dict,
        help_text="Hypothetical content sizes by layer, in tokens; defaults to the real ones.",
    )


class SituationSerializer(OutputSerializer[Any]):
    """The inputs from which the layers' own terms are derived."""

    message_count = serializers.IntegerField(help_text="Number of messages without the current one.")
    conversation_tokens = serializers.IntegerField(help_text="Tokens of the live messages before the current one.")
    message_tokens = serializers.IntegerField(help_text="Tokens of the current message.")
    topic_count = serializers.IntegerField()
    entity_count = serializers.IntegerField()
    topic_tokens = serializers.IntegerField()
    knowledge_depth = serializers.ChoiceField(choices=DEPTHS)
    history_first = serializers.BooleanField()
    pressure = serializers.FloatField(help_text="From 0 to 1; 1 if the conversation fills at least 70% of the budget.")
    is_knowledge_heavy = serializers.BooleanField()
    is_dialogue_heavy = serializers.BooleanField()


class FixedPartsSerializer(OutputSerializer[Any]):
    """Tokens of the parts that are always included in full, with their headings."""

    system = serializers.IntegerField()
    pinned_memory = serializers.IntegerField()
    current_message = serializers.IntegerField()


class StepSerializer(OutputSerializer[Any]):
    """Phase 1 reserves the fixed parts, 2 admits layers, 3 grows them together, 4 distributes the rest.

    Layers that `yielded` got less than their ideal; they are listed by elasticity, the most elastic first.
    """

    phase = serializers.IntegerField()
    part = serializers.CharField(help_text="A fixed part, or a layer.")
    event = serializers.ChoiceField(choices=[event.value for event in Event])
    tokens = serializers.IntegerField(help_text="Tokens granted, or denied.")
    left = serializers.IntegerField(help_text="Free tokens after this step.")


class NegotiationSerializer(OutputSerializer[Any]):
    engine = serializers.ChoiceField(
        choices=ENGINE, help_text="If disabled, a pack contains the newest messages and nothing is negotiated."
    )
    budget = serializers.IntegerField()
    budget_source = serializers.ChoiceField(choices=BUDGET_SOURCES)
    stored_budget = serializers.IntegerField(
        help_text="The budget in estimated tokens, which are distributed. It differs if the model's provider was "
        "found to count differently."
    )
    estimator = EstimatorSerializer(help_text="Estimator of all numbers here; packs may be counted by another one.")
    situation = SituationSerializer()
    fixed = FixedPartsSerializer()
    layers = TermsSerializer(many=True)
    used = serializers.IntegerField()
    left = serializers.IntegerField()
    strategy = serializers.ChoiceField(choices=STRATEGIES, help_text="Strategy that the history would use.")
    trace = StepSerializer(many=True)
