"""What the endpoints of usage take and give. Costs are millionths of a dollar."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.api.framework.serializers import Input, OutputSerializer
from apps.llm.records import (
    CALL_PURPOSES,
    SPEND_STATES,
    DaySums,
    ModelSums,
    PurposeSums,
    Spending,
    UsageOverview,
)

LONGEST_DAYS = 92


class UsageQuery(Input):
    days = serializers.IntegerField(
        min_value=1, max_value=LONGEST_DAYS, required=False, default=30, help_text="Days of UTC, today included."
    )


class SpendingSerializer(OutputSerializer[Spending]):
    """How the workspace stands today."""

    state = serializers.ChoiceField(
        choices=SPEND_STATES,
        help_text="From `warning` on much of a limit is spent; from `background_stopped` on models are asked for "
        "replies alone, from `stopped` on for no reply today; `no_price`: what models may cost is limited, and nobody "
        "knows what the one that replies does; `recall_only`: the workspace calls no models at all.",
    )
    detail = serializers.CharField(help_text="A sentence for people; empty where there is nothing to say.")
    without_model = serializers.CharField(
        help_text="Why the next summary is made without a model: recall_only, ceiling, no_price, or empty."
    )
    resets_at = serializers.DateTimeField(help_text="When the next day begins.")


class TodaySerializer(SpendingSerializer):
    """A call under way counts with the most that it may take."""

    day = serializers.DateField()
    tokens = serializers.IntegerField()
    cost_micros = serializers.IntegerField()
    token_ceiling = serializers.IntegerField(allow_null=True)
    cost_ceiling_micros = serializers.IntegerField(allow_null=True)
    warning_percent = serializers.IntegerField()
    background_percent = serializers.IntegerField(help_text="Of a limit: as far as work in the background may go.")


class SumsSerializer(OutputSerializer[Any]):
    input_tokens = serializers.IntegerField(source="sums.input_tokens", help_text="Without those from a cache.")
    output_tokens = serializers.IntegerField(source="sums.output_tokens")
    cache_read_tokens = serializers.IntegerField(source="sums.cache_read_tokens")
    cache_write_tokens = serializers.IntegerField(source="sums.cache_write_tokens")
    tokens = serializers.IntegerField(source="sums.tokens", help_text="All of them.")
    cost_micros = serializers.IntegerField(source="sums.cost_micros", help_text="Of the calls whose price is known.")
    calls = serializers.IntegerField(source="sums.calls", help_text="Every attempt is one.")
    failed = serializers.IntegerField(source="sums.failed")


class DayUsageSerializer(SumsSerializer, OutputSerializer[DaySums]):
    day = serializers.DateField()


class PurposeUsageSerializer(SumsSerializer, OutputSerializer[PurposeSums]):
    purpose = serializers.ChoiceField(choices=CALL_PURPOSES)


class ModelUsageSerializer(SumsSerializer, OutputSerializer[ModelSums]):
    provider = serializers.CharField()
    provider_label = serializers.CharField(help_text="The provider's name for people.")
    model = serializers.CharField()
    estimated_calls = serializers.IntegerField(
        source="sums.estimated_calls", help_text="Whose tokens are our guess, as of an answer that broke off."
    )
    unpriced_calls = serializers.IntegerField(source="sums.unpriced_calls", help_text="Whose price is not known.")


class UsageOverviewSerializer(OutputSerializer[UsageOverview]):
    today = TodaySerializer()
    days = DayUsageSerializer(many=True, help_text="Every day, oldest first, those without a call too.")
    by_purpose = PurposeUsageSerializer(many=True, help_text="The dearest first, as in `by_model`.")
    by_model = ModelUsageSerializer(many=True)
    prices_as_of = serializers.DateField(help_text="When the installation's prices were last looked at.")
    unpriced_calls = serializers.IntegerField()
