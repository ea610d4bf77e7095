"""Admin pages of extraction: what was found in conversations, what was refused and why, and how far they were read."""

from __future__ import annotations

from django.contrib import admin

from apps.common.admin_base import (
    BY_WORKSPACE,
    ReadOnlyAdmin,
    choices,
    column,
    excerpt_of,
    label_of,
    link_column,
    name_column,
    plain_text,
)
from apps.extraction.models import ExtractionCandidate, ReadPosition, RelationalEvidence
from apps.extraction.selectors.candidates import STORED

OUTCOME_TONES = {
    "created": "success",
    "proposed": "warning",
    "replaced": "success",
    "merged": "success",
    "outdated": "info",
    "known": "info",
    "deleted": "danger",
    "refused": "danger",
}


@admin.register(ExtractionCandidate)
class ExtractionCandidateAdmin(ReadOnlyAdmin):
    list_display = ("words", "outcome_label", "reason", "category", "rule", "conversation_name", "workspace_link")
    list_filter = (choices("outcome"), "reason", BY_WORKSPACE)
    list_select_related = ("conversation", "message", "workspace")
    id_search = ("id", "run", "conversation_id", "message_id", "node_id")
    search_fields = ("conversation__title", "rule", "reason")
    search_help_text = "Search by id, conversation's title, rule or reason"
    fieldsets = (
        (None, {"fields": (("message_link", "conversation_link", "workspace_link"),)}),
        ("Quote", {"fields": ("quote", "model_statement")}),
        ("Outcome", {"fields": (("outcome_label", "reason"), ("category", "source"), ("node_link", "created_at"))}),
        ("Extractor", {"fields": (("rule", "extractor"),)}),
    )
    conversation_name = name_column("conversation")
    conversation_link = link_column("conversation")
    message_link = link_column("message")
    node_link = link_column("node", "memory")
    workspace_link = link_column("workspace")

    def label(self, row: ExtractionCandidate) -> str:
        return excerpt_of(_quote(row)) or "Deleted words"

    @column("words")
    def words(self, row: ExtractionCandidate) -> str:
        return excerpt_of(_quote(row))

    @column("outcome", order="outcome", tones=OUTCOME_TONES)
    def outcome_label(self, row: ExtractionCandidate) -> str:
        return row.outcome

    @column("quote")
    def quote(self, row: ExtractionCandidate) -> str | None:
        return plain_text(_quote(row))

    @column("a model's statement")
    def model_statement(self, row: ExtractionCandidate) -> str | None:
        return plain_text(row.statement)


@admin.register(ReadPosition)
class ReadPositionAdmin(ReadOnlyAdmin):
    list_display = ("conversation_name", "next_index", "last_run", "ran_at", "extractor", "workspace_link")
    list_filter = ("extractor", BY_WORKSPACE)
    list_select_related = ("conversation", "workspace")
    id_search = ("id", "conversation_id")
    search_fields = ("conversation__title",)
    search_help_text = "Search by id or conversation's title"
    fieldsets = (
        (None, {"fields": (("conversation_link", "workspace_link"),)}),
        ("Position", {"fields": (("next_index", "extractor"), ("skipped", "off_spans"), "updated_at")}),
        ("Last run", {"fields": (("last_run", "ran_at"), "run_counts")}),
    )
    conversation_name = name_column("conversation")
    conversation_link = link_column("conversation")
    workspace_link = link_column("workspace")

    def label(self, row: ReadPosition) -> str:
        return f"Position in {label_of(row.conversation)}"

    @column("last run")
    def last_run(self, row: ReadPosition) -> str | None:
        """What was stored, or why nothing was."""
        result = row.run.get("result")
        if result is None:
            return "running" if row.run else None
        stored = [f"{result[outcome]} {outcome}" for outcome in STORED if result.get(outcome)]
        return ", ".join(stored) or str(result["reason"]).replace("_", " ")

    @column("counts")
    def run_counts(self, row: ReadPosition) -> str | None:
        result = row.run.get("result", {})
        counts = {name: count for name, count in result.items() if isinstance(count, int) and count}
        return ", ".join(f"{count} {name}" for name, count in counts.items()) or None


@admin.register(RelationalEvidence)
class RelationalEvidenceAdmin(ReadOnlyAdmin):
    list_display = ("trait_label", "value", "owner_name", "occurred_at", "workspace_link")
    list_filter = ("trait", BY_WORKSPACE)
    list_select_related = ("owner", "workspace")
    id_search = ("id", "message_id")
    search_fields = ("value",)
    search_help_text = "Search by id or value"
    fieldsets = (
        (None, {"fields": (("owner_link", "workspace_link"),)}),
        ("Evidence", {"fields": (("trait_label", "value"), ("message_id", "index"), "occurred_at")}),
    )
    owner_name = name_column("owner")
    owner_link = link_column("owner")
    workspace_link = link_column("workspace")

    def label(self, row: RelationalEvidence) -> str:
        return f"{row.trait}: {row.value}"

    @column("trait", order="trait")
    def trait_label(self, row: RelationalEvidence) -> str:
        return row.trait.replace("_", " ")


def _quote(row: ExtractionCandidate) -> str:
    return row.message.content[row.start : row.end]
