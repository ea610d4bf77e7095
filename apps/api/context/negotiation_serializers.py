"""What trying a budget takes and gives."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from rest_framework import serializers

from apps.api.context.pack_serializers import BUDGET_SOURCES, ENGINE, STRATEGIES, EstimatorSerializer, TermsSerializer
from apps.api.conversations.serializers import ExactText
from apps.api.framework.serializers import Choice, Flag, Input, Number, OutputSerializer, TokenBudget, Whole
from apps.engine.pack.layers import Depth, Layer
from apps.engine.pack.negotiation import LARGEST_BUDGET, Event

DEPTHS = [depth.value for depth in Depth]
# The current message stands whole: it has no terms to try.
_ASKING = [layer for layer in Layer if layer is not Layer.MESSAGE]
_RISING = ("minimum", "ideal", "maximum")


class Tokens(Whole):
    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 0, "max_value": LARGEST_BUDGET, "required": False, **options})


class TermsInput(Input):
    """Of a layer, in place of the situation's own; what is absent stays."""

    minimum = Tokens()
    ideal = Tokens()
    maximum = Tokens()
    priority = Whole(min_value=0, max_value=100, required=False)
    elasticity = Number(min_value=0, max_value=1, required=False, help_text="How gladly it yields.")

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
    token_budget = TokenBudget(help_text="Without it, the one that a pack would get.")
    message = ExactText(
        required=False,
        allow_blank=True,
        default="",
        help_text="Something that you might say next; without it, the message that waits for its reply, if one does.",
    )
    knowledge_depth = Choice(choices=DEPTHS, required=False, help_text="By default, your own.")
    history_first = Flag(required=False, help_text="By default, your own.")
    layers = TermsByLayerInput(required=False, default=dict, help_text="Other terms, by layer.")
    contents = ContentsInput(
        required=False, default=dict, help_text="As if a layer had so many tokens to say; what it has, where absent."
    )


class SituationSerializer(OutputSerializer[Any]):
    """What the layers' own terms are made from."""

    message_count = serializers.IntegerField(help_text="Without the current message.")
    conversation_tokens = serializers.IntegerField(help_text="Of the live messages before the current one.")
    message_tokens = serializers.IntegerField(help_text="Of the current message.")
    topic_count = serializers.IntegerField()
    entity_count = serializers.IntegerField()
    topic_tokens = serializers.IntegerField()
    knowledge_depth = serializers.ChoiceField(choices=DEPTHS)
    history_first = serializers.BooleanField()
    pressure = serializers.FloatField(help_text="1 where the conversation would fill 70 % of the budget, or more.")
    is_knowledge_heavy = serializers.BooleanField()
    is_dialogue_heavy = serializers.BooleanField()


class FixedPartsSerializer(OutputSerializer[Any]):
    """What stands whole, with its headings."""

    system = serializers.IntegerField()
    pinned_memory = serializers.IntegerField()
    current_message = serializers.IntegerField()


class StepSerializer(OutputSerializer[Any]):
    """In phase 1 what stands whole is taken, in 2 layers enter, in 3 they grow together, in 4 the rest is shared out.

    Who `yielded` did so to those that grew, the most elastic first.
    """

    phase = serializers.IntegerField()
    part = serializers.CharField(help_text="A fixed part, or a layer.")
    event = serializers.ChoiceField(choices=[event.value for event in Event])
    tokens = serializers.IntegerField(help_text="What it got, or went without.")
    left = serializers.IntegerField(help_text="Free after it.")


class NegotiationSerializer(OutputSerializer[Any]):
    engine = serializers.ChoiceField(
        choices=ENGINE, help_text="While it is disabled a pack is the newest messages, and nothing is negotiated."
    )
    budget = serializers.IntegerField()
    budget_source = serializers.ChoiceField(choices=BUDGET_SOURCES)
    stored_budget = serializers.IntegerField(
        help_text="The budget in stored tokens, which are shared out: another number where the model's provider was "
        "found to count otherwise."
    )
    estimator = EstimatorSerializer(help_text="Of every number here; what a pack holds may be counted by another one.")
    situation = SituationSerializer()
    fixed = FixedPartsSerializer()
    layers = TermsSerializer(many=True)
    used = serializers.IntegerField()
    left = serializers.IntegerField()
    strategy = serializers.ChoiceField(choices=STRATEGIES, help_text="That the history would take.")
    trace = StepSerializer(many=True)
