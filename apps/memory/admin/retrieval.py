"""Read-only admin pages of passages and their embeddings, without the vectors' values."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.contrib import admin
from django.db.models import Min, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.paginator import InfinitePaginator

from apps.common.admin_base import (
    BY_WORKSPACE,
    Card,
    ReadOnlyAdmin,
    change_link,
    column,
    is_set,
    link_column,
    link_row,
    list_url,
    number,
)
from apps.memory.models import Embedding, Passage

LATE = timedelta(minutes=10)
SOURCES = {"node": "memory", "message": "message", "user_memory": "user memory"}
STATE_TONES = {"embedded": "success", "not embedded yet": "info"}


@admin.register(Passage)
class PassageAdmin(ReadOnlyAdmin):
    list_display = (
        *("shown_kind", "source", "bank", "series", "session", "place", "shown_words", "shown_state"),
        *("workspace_link", "occurred_at"),
    )
    list_filter = (
        is_set("wanted_at", "waiting for a vector"),
        *(is_set(field, label) for field, label in SOURCES.items()),
        "is_question",
        BY_WORKSPACE,
    )
    list_select_related = (*SOURCES, "workspace")
    id_search = ("id", "node_id", "message_id", "user_memory_id", "bank", "series")
    search_fields = ("node__uri__startswith",)
    search_help_text = "Search by id, the id of a source, bank or series, or beginning of an address"
    paginator = InfinitePaginator
    fieldsets = (
        (None, {"fields": ("source", "related", "workspace_link")}),
        ("Place", {"fields": (("bank", "series"), ("session", "place"), ("actor", "occurred_at"))}),
        ("Words", {"fields": (("shown_words", "shown_characters"), "is_question")}),
        ("Vectors", {"fields": (("shown_state", "wanted_at"),)}),
    )
    workspace_link = link_column("workspace")

    def label(self, row: Passage) -> str:
        return f"{self.shown_kind(row)} in bank {row.bank}"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Passage]:
        return super().get_queryset(request).defer("words")

    @column("kind")
    def shown_kind(self, row: Passage) -> str:
        return SOURCES[_source_of(row)]

    @column("source")
    def source(self, row: Passage) -> SafeString:
        return change_link(getattr(row, _source_of(row)))

    @column("words", order="word_count")
    def shown_words(self, row: Passage) -> str | None:
        return number(row.word_count)

    @column("characters")
    def shown_characters(self, row: Passage) -> str | None:
        return number(row.char_count)

    @column("vectors", order="wanted_at", tones=STATE_TONES)
    def shown_state(self, row: Passage) -> str:
        return "embedded" if row.wanted_at is None else "not embedded yet"

    @column("open")
    def related(self, row: Passage) -> SafeString:
        return link_row([(list_url(Embedding, passage__id__exact=row.pk), "embeddings")])

    def cards(self) -> Iterable[Card]:
        waiting = Passage.objects.filter(wanted_at__isnull=False)
        count, since = waiting.count(), waiting.aggregate(since=Min("wanted_at"))["since"]
        late = since is not None and timezone.now() - since > LATE
        yield Card(
            "Needs attention",
            "Not embedded yet",
            f"{count:,}",
            "found by keywords until then" if count else "everything is embedded",
            list_url(Passage, wanted_at__isempty=0),
            "warning" if late else "",
        )


def _source_of(row: Passage) -> str:
    """Return the field of a passage's source: a constraint of the table makes it exactly one."""
    return next(field for field in SOURCES if getattr(row, f"{field}_id") is not None)


@admin.register(Embedding)
class EmbeddingAdmin(ReadOnlyAdmin):
    list_display = ("shown_model", "dimension", "passage_link", "bank", "workspace_link")
    list_filter = (("space", AutocompleteSelectFilter), BY_WORKSPACE)
    list_select_related = ("space", "passage", "workspace")
    id_search = ("id", "bank", "passage_id", "space_id")
    search_help_text = "Search by the id of a vector, or of its bank, passage or space"
    paginator = InfinitePaginator
    fields = (("space_link", "dimension"), "passage_link", "bank", "workspace_link")
    space_link = link_column("space")
    passage_link = link_column("passage")
    workspace_link = link_column("workspace")

    def label(self, row: Embedding) -> str:
        return f"Vector of {row.space.model}"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Embedding]:
        return super().get_queryset(request).defer("vector", "passage__words")

    @column("model")
    def shown_model(self, row: Embedding) -> str:
        return row.space.model

    @column("dimension")
    def dimension(self, row: Embedding) -> str | None:
        return number(row.space.dimension)
