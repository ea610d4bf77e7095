"""Read-only admin pages for daily spending with its limits, and for rejected answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.safestring import SafeString

from apps.accounts.selectors.policies import policies_of, policy_of
from apps.common.admin_base import (
    BY_WORKSPACE,
    Card,
    ReadOnlyAdmin,
    choices,
    column,
    excerpt_of,
    id_link_column,
    link_column,
    link_row,
    list_url,
    name_column,
    number,
    plain_text,
)
from apps.llm.admin.charts import dollars, usage_plots
from apps.llm.budget.rules import Ceilings, SpendState, Spent, day_of, refusals_by_ceilings, state_of
from apps.llm.models import ModelUsage, RejectedAnswer, SpendDay

STATE_TONES = {
    "open": "success",
    "warning": "warning",
    "background_stopped": "warning",
    "stopped": "danger",
    "no_price": "danger",
    "recall_only": "info",
}
_STOPPED = (SpendState.STOPPED, SpendState.BACKGROUND_STOPPED)


@admin.register(SpendDay)
class SpendDayAdmin(ReadOnlyAdmin):
    list_display = ("workspace_name", "day", "shown_tokens", "shown_limit", "shown_cost", "shown_cost_limit", "state")
    list_filter = ("day", BY_WORKSPACE)
    list_select_related = ("workspace",)
    id_search = ("id", "workspace_id")
    search_fields = ("workspace__name",)
    search_help_text = "Search by id or workspace's name"
    ordering = ("-day", "-id")
    list_before_template = "console/usage.html"
    fieldsets = (
        (None, {"fields": (("workspace_link", "day"), "state", "calls")}),
        ("Spent", {"fields": (("shown_tokens", "shown_limit"), ("shown_cost", "shown_cost_limit"))}),
    )
    workspace_name = name_column("workspace")
    workspace_link = link_column("workspace")

    def label(self, row: SpendDay) -> str:
        return f"{row.workspace.name} on {row.day}"

    def get_queryset(self, request: HttpRequest) -> QuerySet[SpendDay]:
        return policies_of(super().get_queryset(request))

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, {**usage_plots(request), **(extra_context or {})})

    @column("tokens", order="tokens")
    def shown_tokens(self, row: SpendDay) -> str | None:
        return number(row.tokens)

    @column("token limit")
    def shown_limit(self, row: SpendDay) -> str | None:
        return number(Ceilings.of(policy_of(row)).tokens)

    @column("cost", order="cost_micros")
    def shown_cost(self, row: SpendDay) -> str | None:
        return dollars(row.cost_micros)

    @column("cost limit")
    def shown_cost_limit(self, row: SpendDay) -> str | None:
        return dollars(Ceilings.of(policy_of(row)).cost_micros)

    @column("state", tones=STATE_TONES)
    def state(self, row: SpendDay) -> tuple[str, str]:
        state = _state(row)
        return state.value, state.value.replace("_", " ")

    @column("open")
    def calls(self, row: SpendDay) -> SafeString:
        return link_row([(list_url(ModelUsage, workspace__id__exact=row.workspace_id), "calls of this workspace")])

    def cards(self) -> Iterable[Card]:
        today = day_of(timezone.now())
        states = [_state(row) for row in policies_of(SpendDay.objects.filter(day=today))]
        stopped = sum(state in _STOPPED for state in states)
        fully_stopped = sum(state is SpendState.STOPPED for state in states)
        note = f"{fully_stopped:,} of them for chats too" if stopped else "none today"
        tone = "danger" if fully_stopped else "warning" if stopped else ""
        yield Card("Models", "Workspaces at their limit", f"{stopped:,}", note, list_url(SpendDay, day=today), tone)


@admin.register(RejectedAnswer)
class RejectedAnswerAdmin(ReadOnlyAdmin):
    """Rejected answers. They may quote message content, so only the detail page shows the text."""

    list_display = ("purpose", "model", "shown_problem", "workspace_link", "created_at")
    list_filter = (choices("purpose"), BY_WORKSPACE)
    list_select_related = ("workspace",)
    id_search = ("id", "conversation_id")
    search_fields = ("model",)
    search_help_text = "Search by id, conversation's id or model"
    fieldsets = (
        (None, {"fields": (("purpose", "model"), ("workspace_link", "conversation"), "created_at")}),
        ("Answer", {"fields": ("problem", "shown_text")}),
    )
    workspace_link = link_column("workspace")
    conversation = id_link_column("conversation_id", "conversations.Conversation")

    def label(self, row: RejectedAnswer) -> str:
        return f"Answer of {row.model}, not accepted"

    @column("problem")
    def shown_problem(self, row: RejectedAnswer) -> str:
        return excerpt_of(row.problem)

    @column("text")
    def shown_text(self, row: RejectedAnswer) -> SafeString | None:
        return plain_text(row.text)


def _state(row: SpendDay) -> SpendState:
    policy, spent = policy_of(row), Spent(row.tokens, row.cost_micros)
    return state_of(policy, spent, refusals_by_ceilings(policy, spent))
