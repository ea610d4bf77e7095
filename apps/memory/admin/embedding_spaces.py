"""Admin of embedding spaces: the serving one, the progress of the next, and changes of the model."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString

from apps.common.admin_base import (
    BY_WORKSPACE,
    ReadOnlyAdmin,
    action_page,
    choices,
    column,
    link_column,
    link_row,
    list_url,
    number,
)
from apps.common.errors import ContinuityError
from apps.common.tenancy import workspace
from apps.jobs.models import Operation
from apps.llm.embedding.registry import default_embedder_name
from apps.memory.admin.bulk_actions import acting_in, refusals_show
from apps.memory.models import Embedding, EmbeddingSpace, SpaceState
from apps.memory.selectors.search.embedding_spaces import space_progress
from apps.memory.services.index.reembed import workspace_reembed
from apps.memory.services.index.space_changes import space_change

STATE_TONES = {"serving": "success", "building": "info", "retired": "warning"}
LONGEST_MODEL = 160


@admin.register(EmbeddingSpace)
class EmbeddingSpaceAdmin(ReadOnlyAdmin):
    list_display = (
        *("model", "shown_dimension", "shown_state", "progress", "shown_chosen", "error_code"),
        *("workspace_link", "since"),
    )
    list_filter = (choices("state"), "chosen", BY_WORKSPACE)
    list_select_related = ("workspace",)
    id_search = ("id", "workspace_id", "operation")
    search_fields = ("model", "workspace__name")
    search_help_text = "Search by id, model or workspace"
    actions = ("change_model", "rebuild")
    fieldsets = (
        (None, {"fields": (("model", "shown_dimension"), "workspace_link", "related")}),
        ("State", {"fields": (("shown_state", "since"), ("progress", "shown_chosen"), "counts")}),
        ("Trouble", {"fields": (("error_code", "failures"), "error", "retry_at")}),
        ("Record", {"fields": (("created_at", "filled_through"),)}),
    )
    workspace_link = link_column("workspace")

    def label(self, row: EmbeddingSpace) -> str:
        return f"{row.model} of {row.workspace.name}"

    def get_queryset(self, request: HttpRequest) -> QuerySet[EmbeddingSpace]:
        percent = Operation.objects.filter(pk=OuterRef("operation")).values("progress")[:1]
        rows: QuerySet[EmbeddingSpace] = super().get_queryset(request)
        return rows.annotate(percent=Subquery(percent))

    @column("dimension", order="dimension")
    def shown_dimension(self, row: EmbeddingSpace) -> str | None:
        return number(row.dimension)

    @column("state", order="state", tones=STATE_TONES)
    def shown_state(self, row: EmbeddingSpace) -> str:
        return row.state

    @column("progress")
    def progress(self, row: EmbeddingSpace) -> str | None:
        percent = getattr(row, "percent", None)
        return f"{percent}%" if row.state == SpaceState.BUILDING and percent is not None else None

    @column("chosen by", order="chosen")
    def shown_chosen(self, row: EmbeddingSpace) -> str:
        return "the workspace" if row.chosen else "the server"

    @column("of the workspace")
    def counts(self, row: EmbeddingSpace) -> str:
        with workspace(row.workspace.id):
            found = space_progress()
        told = f"{found.passages:,} passages, {found.waiting:,} of them not embedded yet"
        told += f"; {found.built:,} are in the new space" if found.building else ""
        return told if found.per_minute is None else f"{told}; {found.per_minute:,} are embedded in a minute"

    @column("open")
    def related(self, row: EmbeddingSpace) -> SafeString:
        links = [(list_url(Embedding, space__id__exact=row.pk), "embeddings")]
        if row.operation:
            links.append((list_url(Operation, id__exact=row.operation), "the operation"))
        return link_row(links)

    @admin.action(description="Change the model …", permissions=["change_space"])
    def change_model(self, request: HttpRequest, queryset: QuerySet[EmbeddingSpace]) -> HttpResponse | None:
        rows, model = list(queryset), request.POST.get("model", "").strip()
        if request.POST.get("post") and model:
            self._for_each(request, rows, lambda actor: space_change(actor, model), f"will be embedded by {model}")
            return None
        context = {"default": default_embedder_name(), "longest": LONGEST_MODEL, "names": sorted(_names(rows))}
        return action_page(self, request, "console/space.html", title="Change the model", rows=rows, **context)

    @admin.action(description="Rebuild all embeddings", permissions=["change_space"])
    def rebuild(self, request: HttpRequest, queryset: QuerySet[EmbeddingSpace]) -> None:
        self._for_each(request, list(queryset), workspace_reembed, "will rebuild all embeddings")

    def has_change_space_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("memory.change_embeddingspace"))

    def _for_each(self, request: HttpRequest, rows: list[EmbeddingSpace], act: Any, done: str) -> None:
        """Run once per workspace of the selected spaces."""
        count, refused = 0, []
        for row in {row.workspace_id: row for row in rows}.values():
            try:
                with acting_in(request, row.workspace.id) as actor:
                    act(actor)
                count += 1
            except ContinuityError as error:
                refused.append(f"{row.workspace.name}: {error.detail}")
        told = f"{count:,} {'workspace' if count == 1 else 'workspaces'} {done}."
        self.message_user(request, told, messages.SUCCESS if count else messages.WARNING)
        refusals_show(self, request, refused)


def _names(rows: list[EmbeddingSpace]) -> set[str]:
    return {row.workspace.name for row in rows}
