"""Request and response serializers of model usage. Costs are in millionths of a dollar."""

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
        min_value=1,
        max_value=LONGEST_DAYS,
        required=False,
        default=30,
        help_text="Number of UTC days, including today.",
    )


class SpendingSerializer(OutputSerializer[Spending]):
    """Today's spending state of the workspace."""

    state = serializers.ChoiceField(
        choices=SPEND_STATES,
        help_text="`warning`: most of a limit is spent; `background_stopped`: models only write "
        "replies; `stopped`: no model calls today; `no_price`: spending is limited, and the price of the "
        "chat model is unknown; `recall_only`: no-model mode, in which the workspace calls no models.",
    )
    detail = serializers.CharField(help_text="A sentence for people, or empty.")
    without_model = serializers.CharField(
        help_text="Why the next summary is written without a model: recall_only, ceiling, no_price, or empty."
    )
    resets_at = serializers.DateTimeField(help_text="Start of the next day.")


class TodaySerializer(SpendingSerializer):
    """Today's usage; a running call counts as its reservation."""

    day = serializers.DateField()
    tokens = serializers.IntegerField()
    cost_micros = serializers.IntegerField()
    token_ceiling = serializers.IntegerField(allow_null=True)
    cost_ceiling_micros = serializers.IntegerField(allow_null=True)
    warning_percent = serializers.IntegerField()
    background_percent = serializers.IntegerField(help_text="Percentage of a limit that background work may use.")


class SumsSerializer(OutputSerializer[Any]):
    input_tokens = serializers.IntegerField(
        source="sums.input_tokens", help_text="Input tokens without those read from a cache."
    )
    output_tokens = serializers.IntegerField(source="sums.output_tokens")
    cache_read_tokens = serializers.IntegerField(source="sums.cache_read_tokens")
    cache_write_tokens = serializers.IntegerField(source="sums.cache_write_tokens")
    tokens = serializers.IntegerField(source="sums.tokens", help_text="Total number of tokens.")
    cost_micros = serializers.IntegerField(
        source="sums.cost_micros", help_text="Cost of the calls whose price is known."
    )
    calls = serializers.IntegerField(source="sums.calls", help_text="Number of calls; every attempt counts.")
    failed = serializers.IntegerField(source="sums.failed")


class DayUsageSerializer(SumsSerializer, OutputSerializer[DaySums]):
    day = serializers.DateField()


class PurposeUsageSerializer(SumsSerializer, OutputSerializer[PurposeSums]):
    purpose = serializers.ChoiceField(choices=CALL_PURPOSES)


class ModelUsageSerializer(SumsSerializer, OutputSerializer[ModelSums]):
    provider = serializers.CharField()
    provider_label = serializers.CharField(help_text="The display name of the provider.")
    model = serializers.CharField()
    estimated_calls = serializers.IntegerField(
        source="sums.estimated_calls", help_text="Calls with estimated tokens, e.g. because the response was cut off."
    )
    unpriced_calls = serializers.IntegerField(source="sums.unpriced_calls", help_text="Calls whose price is unknown.")


class UsageOverviewSerializer(OutputSerializer[UsageOverview]):
    today = TodaySerializer()
    days = DayUsageSerializer(many=True, help_text="Every day, oldest first, including days without calls.")
    by_purpose = PurposeUsageSerializer(many=True, help_text="Most expensive first, as in `by_model`.")
    by_model = ModelUsageSerializer(many=True)
    prices_as_of = serializers.DateField(help_text="Date of the last review of the installation's prices.")
    unpriced_calls = serializers.IntegerField()
