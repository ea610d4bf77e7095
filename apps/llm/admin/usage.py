"""Read-only admin pages for model usage and token calibration."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apps.common.admin_base import (
    BY_WORKSPACE,
    Card,
    ReadOnlyAdmin,
    choices,
    column,
    first_id_at,
    id_link_column,
    link_column,
    list_url,
    number,
)
from apps.llm.admin.charts import dollars, usage_plots
from apps.llm.middleware.metering import CANCELLED, OK
from apps.llm.models import ModelCalibration, ModelUsage

OUTCOME_TONES = {"ok": "success", "cancelled": "warning", "failed": "danger"}


@admin.register(ModelUsage)
class ModelUsageAdmin(ReadOnlyAdmin):
    list_display = (
        *("purpose", "model", "shown_outcome", "shown_input", "shown_output", "source", "shown_cost"),
        *("shown_first_token", "shown_latency", "workspace_link", "created_at"),
    )
    list_filter = (choices("purpose"), choices("source"), "outcome", BY_WORKSPACE)
    list_select_related = ("workspace",)
    list_before_template = "console/usage.html"
    id_search = ("id", "conversation_id")
    search_fields = ("model", "outcome")
    search_help_text = "Search by id, conversation's id, model or outcome"
    fieldsets = (
        (None, {"fields": (("purpose", "provider", "model"), ("workspace_link", "conversation"))}),
        (
            "Tokens",
            {"fields": (("shown_input", "shown_output", "source"), ("cache_read_tokens", "cache_write_tokens"))},
        ),
        ("Cost", {"fields": ("shown_cost",)}),
        ("Outcome", {"fields": (("shown_outcome", "shown_first_token", "shown_latency"), "created_at")}),
    )
    workspace_link = link_column("workspace")
    conversation = id_link_column("conversation_id", "conversations.Conversation")

    def label(self, row: ModelUsage) -> str:
        return f"{row.purpose} by {row.model}"

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, {**usage_plots(request), **(extra_context or {})})

    @column("cost", order="cost_micros")
    def shown_cost(self, row: ModelUsage) -> str:
        return dollars(row.cost_micros) or "price unknown"

    @column("outcome", order="outcome", tones=OUTCOME_TONES)
    def shown_outcome(self, row: ModelUsage) -> tuple[str, str]:
        known = row.outcome if row.outcome in OUTCOME_TONES else "failed"
        return known, row.outcome

    @column("input tokens", order="input_tokens")
    def shown_input(self, row: ModelUsage) -> str | None:
        return number(row.input_tokens)

    @column("output tokens", order="output_tokens")
    def shown_output(self, row: ModelUsage) -> str | None:
        return number(row.output_tokens)

    @column("first token", order="first_token_ms")
    def shown_first_token(self, row: ModelUsage) -> str | None:
        return None if row.first_token_ms is None else f"{row.first_token_ms:,} ms"

    @column("took", order="latency_ms")
    def shown_latency(self, row: ModelUsage) -> str:
        return f"{row.latency_ms:,} ms"

    def cards(self) -> Iterable[Card]:
        begin = first_id_at(timezone.now() - timedelta(hours=24))
        calls = ModelUsage.objects.filter(id__gte=begin)
        failed = calls.exclude(outcome__in=[OK, CANCELLED]).count()
        sums = calls.aggregate(input=Sum("input_tokens"), output=Sum("output_tokens"))
        tokens = (sums["input"] or 0) + (sums["output"] or 0)
        url = list_url(ModelUsage, id__gte=begin)
        note = f"{failed:,} calls failed" if failed else "in the last 24 hours"
        yield Card("Models", "Tokens", f"{tokens:,}", note, url, "warning" if failed else "")


@admin.register(ModelCalibration)
class ModelCalibrationAdmin(ReadOnlyAdmin):
    list_display = ("model", "estimator", "factor", "calls", "workspace_link", "updated_at")
    list_filter = ("estimator", BY_WORKSPACE)
    list_select_related = ("workspace",)
    id_search = ("id",)
    search_fields = ("model",)
    search_help_text = "Search by id or model"
    fieldsets = (
        (None, {"fields": (("model", "estimator"), ("factor", "calls"), "workspace_link")}),
        ("Calibrated by", {"fields": (("shown_reported", "shown_estimated"), "updated_at")}),
    )
    workspace_link = link_column("workspace")

    def label(self, row: ModelCalibration) -> str:
        return f"{row.estimator} for {row.model}"

    @column("factor", order="percent")
    def factor(self, row: ModelCalibration) -> str:
        return f"{row.percent / 100:.2f}"

    @column("reported tokens")
    def shown_reported(self, row: ModelCalibration) -> str | None:
        return number(row.reported_tokens)

    @column("estimated tokens")
    def shown_estimated(self, row: ModelCalibration) -> str | None:
        return number(row.estimated_tokens)
