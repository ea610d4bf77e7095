"""Contexts in the console: the summary readably, with the messages each line came from; runs and how they ended.

All of it is read-only: the machinery and its API write it, with checks that a form cannot give.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from apps.common.admin_base import (
    BY_WORKSPACE,
    ROLE_SYMBOLS,
    Card,
    ReadOnlyAdmin,
    choices,
    column,
    first_id_at,
    label_of,
    link_column,
    link_row,
    list_url,
    name_column,
    number,
    plain_text,
)
from apps.compaction.models import CompactionRun, ConversationContext, RunState, SegmentSummary, SummaryVersion
from apps.conversations.models import Message
from apps.engine.compaction.preservation import preservation_ratio
from apps.engine.summary.rolling_summary import FIELDS, RollingSummary, summary_from_json
from apps.engine.tokens.estimate import estimate_text

RUN_TONES = {
    "queued": "info",
    "running": "primary",
    "succeeded": "success",
    "failed": "danger",
    "undone": "warning",
    "stopped": "warning",
}


def summary_page(stored: dict[str, Any]) -> SafeString:
    """The summary field by field; every line with links to its messages."""
    summary = summary_from_json(stored)
    sources = _source_links(summary)
    sections = [
        (name.replace("_", " "), [_line(entry, sources) for entry in getattr(summary, name)]) for name in FIELDS
    ]
    return render_to_string("console/summary.html", {"sections": sections, "empty": not summary})


def _source_links(summary: RollingSummary) -> dict[str, dict[str, str]]:
    ids = {source for _, entry in summary.entries() for source in entry.sources}
    rows = Message.objects.filter(pk__in=ids).values_list("pk", "index", "role")
    return {
        str(pk): {
            "text": f"{ROLE_SYMBOLS[role]} {index}",
            "url": reverse("admin:conversations_message_change", args=[pk]),
        }
        for pk, index, role in rows
    }


def _line(entry: Any, sources: dict[str, dict[str, str]]) -> dict[str, Any]:
    """Heading, text and note of a line, whatever its field calls them."""
    head = getattr(entry, "term", "") or getattr(entry, "value", "")
    note = getattr(entry, "reason", "") or getattr(entry, "note", "")
    return {
        "kind": getattr(entry, "type", ""),
        "corrected": entry.corrected,
        "reported": entry.reported,
        "head": head,
        "text": getattr(entry, "text", ""),
        "note": note,
        "sources": [sources[source] for source in entry.sources if source in sources],
    }


def _percent(value: float | None) -> str | None:
    return None if value is None else f"{value:.1f}%"


@admin.register(ConversationContext)
class ConversationContextAdmin(ReadOnlyAdmin):
    list_display = (
        *("conversation_name", "version", "shown_ratio", "shown_summary_tokens", "compaction_count"),
        *("last_compaction_at", "workspace_link"),
    )
    list_filter = (BY_WORKSPACE,)
    list_select_related = ("conversation", "workspace")
    id_search = ("id", "conversation_id")
    search_fields = ("conversation__title",)
    search_help_text = "Search by id or conversation's title"
    fieldsets = (
        (None, {"fields": (("conversation_link", "workspace_link"), "related")}),
        (
            "State",
            {
                "fields": (
                    ("shown_seen", "shown_context_tokens", "shown_ratio"),
                    ("version", "shown_summary_tokens", "compaction_count"),
                    ("last_compaction_at", "paused_below"),
                )
            },
        ),
        ("Summary", {"fields": ("summary",)}),
    )
    conversation_name = name_column("conversation")
    conversation_link = link_column("conversation")
    workspace_link = link_column("workspace")

    def label(self, row: ConversationContext) -> str:
        return f"Context of {label_of(row.conversation)}"

    @column("preserved")
    def shown_ratio(self, row: ConversationContext) -> str | None:
        return _percent(preservation_ratio(row.compressed_token_count, row.total_token_count))

    @column("summary tokens", order="summary_tokens")
    def shown_summary_tokens(self, row: ConversationContext) -> str | None:
        return number(row.summary_tokens)

    @column("tokens in the context")
    def shown_context_tokens(self, row: ConversationContext) -> str | None:
        return number(row.compressed_token_count)

    @column("tokens in total")
    def shown_seen(self, row: ConversationContext) -> str | None:
        return number(row.total_token_count)

    @column("rolling summary")
    def summary(self, row: ConversationContext) -> SafeString:
        return summary_page(row.rolling_summary)

    @column("open")
    def related(self, row: ConversationContext) -> SafeString:
        here = {"conversation__id__exact": row.conversation_id}
        return link_row(
            [
                (list_url(SummaryVersion, **here), "all versions"),
                (list_url(CompactionRun, **here), "compaction runs"),
                (list_url(Message, **here, o=1), "messages"),
            ]
        )


@admin.register(SummaryVersion)
class SummaryVersionAdmin(ReadOnlyAdmin):
    list_display = (
        *("conversation_name", "shown_version", "cause", "summary_tokens", "covers_through", "undone"),
        *("workspace_link", "created_at"),
    )
    list_filter = (choices("cause"), "undone", BY_WORKSPACE)
    list_select_related = ("conversation", "workspace")
    id_search = ("id", "conversation_id")
    search_fields = ("conversation__title",)
    search_help_text = "Search by id or conversation's title"
    fieldsets = (
        (None, {"fields": (("conversation_link", "workspace_link", "created_at"),)}),
        (
            "Version",
            {
                "fields": (
                    ("shown_version", "exported_as", "cause", "undone"),
                    ("summary_tokens", "covers_through", "covered"),
                )
            },
        ),
        ("Summary", {"fields": ("summary",)}),
    )
    conversation_name = name_column("conversation")
    conversation_link = link_column("conversation")
    workspace_link = link_column("workspace")

    def label(self, row: SummaryVersion) -> str:
        return f"Summary v{row.version} of {label_of(row.conversation)}"

    @column("version", order="version")
    def shown_version(self, row: SummaryVersion) -> str:
        return f"v{row.version}"

    @column("rolling summary")
    def summary(self, row: SummaryVersion) -> SafeString:
        return summary_page(row.rolling_summary)

    @column("compacted by it")
    def covered(self, row: SummaryVersion) -> SafeString:
        compacted = {"conversation__id__exact": row.conversation_id, "compacted_in__exact": row.version, "o": 1}
        return link_row([(list_url(Message, **compacted), "messages")])


@admin.register(SegmentSummary)
class SegmentSummaryAdmin(ReadOnlyAdmin):
    list_display = (
        *("conversation_name", "level", "ordinal", "shown_span", "shown_tokens", "model"),
        *("workspace_link", "updated_at"),
    )
    list_filter = ("level", BY_WORKSPACE)
    list_select_related = ("conversation", "workspace")
    id_search = ("id", "conversation_id")
    search_fields = ("conversation__title", "model")
    search_help_text = "Search by id, conversation's title or model"
    fieldsets = (
        (None, {"fields": (("conversation_link", "workspace_link"), ("created_at", "updated_at"))}),
        ("Segment", {"fields": (("level", "ordinal", "shown_span"), "messages")}),
        ("Text", {"fields": ("shown_text", ("model", "tries_left"), ("source_hash", "prompt_version"))}),
    )
    conversation_name = name_column("conversation")
    conversation_link = link_column("conversation")
    workspace_link = link_column("workspace")

    def label(self, row: SegmentSummary) -> str:
        return f"Messages {row.first_index}–{row.last_index} of {label_of(row.conversation)}"

    @column("messages", order="first_index")
    def shown_span(self, row: SegmentSummary) -> str:
        return f"{row.first_index}–{row.last_index}"

    @column("tokens")
    def shown_tokens(self, row: SegmentSummary) -> str | None:
        return number(estimate_text(row.text)) if row.source_hash else None

    @column("text")
    def shown_text(self, row: SegmentSummary) -> SafeString | None:
        return plain_text(row.text)

    @column("covers")
    def messages(self, row: SegmentSummary) -> SafeString:
        within = {"index__gte": row.first_index, "index__lte": row.last_index, "o": 1}
        return link_row([(list_url(Message, conversation__id__exact=row.conversation_id, **within), "messages")])


@admin.register(CompactionRun)
class CompactionRunAdmin(ReadOnlyAdmin):
    list_display = (
        *(
            "conversation_name",
            "shown_state",
            "trigger",
            "level",
            "compacted",
            "effect",
            "shown_ratio",
            "shown_fell_back",
            "error_code",
        ),
        *("workspace_link", "created_at"),
    )
    list_filter = (choices("state"), choices("trigger"), choices("level"), "fallback_reason", BY_WORKSPACE)
    list_select_related = ("conversation", "workspace", "operation")
    id_search = ("id", "conversation_id", "operation_id")
    search_fields = ("conversation__title", "error_code")
    search_help_text = "Search by id, conversation's title or error code"
    fieldsets = (
        (None, {"fields": (("conversation_link", "workspace_link", "operation_link"),)}),
        ("Asked", {"fields": (("trigger", "level"), ("model", "shown_fell_back", "base_version"))}),
        ("Outcome", {"fields": (("shown_state", "compacted"), ("effect", "shown_ratio"), ("version_link", "cost"))}),
        ("Trouble", {"fields": ("error_code", "error", "retry_at")}),
        ("Times", {"fields": (("created_at", "started_at"), ("finished_at", "duration"))}),
    )
    conversation_name = name_column("conversation")
    conversation_link = link_column("conversation")
    workspace_link = link_column("workspace")
    operation_link = link_column("operation")

    def label(self, row: CompactionRun) -> str:
        return f"Compaction of {label_of(row.conversation)}"

    @column("state", order="state", tones=RUN_TONES)
    def shown_state(self, row: CompactionRun) -> str:
        return row.state

    @column("why no model", order="fallback_reason")
    def shown_fell_back(self, row: CompactionRun) -> str | None:
        return row.fallback_reason.replace("_", " ") or None

    @column("compacted", order="compacted_count")
    def compacted(self, row: CompactionRun) -> str | None:
        if row.compacted_from is None:
            return None
        return f"{row.compacted_count:,} messages, {row.compacted_from}–{row.compacted_through}"

    @column("live tokens")
    def effect(self, row: CompactionRun) -> str | None:
        ends = [f"{value:,}" for value in (row.tokens_before, row.tokens_after) if value is not None]
        return " → ".join(ends) or None

    @column("preserved", order="preservation_ratio")
    def shown_ratio(self, row: CompactionRun) -> str | None:
        return _percent(row.preservation_ratio)

    @column("summary version")
    def version_link(self, row: CompactionRun) -> SafeString | None:
        if row.version is None:
            return None
        stored = {"conversation__id__exact": row.conversation_id, "version__exact": row.version}
        return link_row([(list_url(SummaryVersion, **stored), f"v{row.version}")])

    @column("took")
    def duration(self, row: CompactionRun) -> str | None:
        if row.started_at is None or row.finished_at is None:
            return None
        return f"{(row.finished_at - row.started_at).total_seconds():.2f} s"

    def cards(self) -> Iterable[Card]:
        begin = first_id_at(timezone.now() - timedelta(hours=24))
        failed = CompactionRun.objects.filter(id__gte=begin, state=RunState.FAILED).count()
        yield Card(
            "Needs attention",
            "Failed compactions",
            f"{failed:,}",
            "in the last 24 hours",
            list_url(CompactionRun, id__gte=begin, state__exact=RunState.FAILED),
            "danger" if failed else "",
        )
