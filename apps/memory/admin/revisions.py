"""Admin pages of revisions and undo, sources, accesses and tombstones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.paginator import InfinitePaginator

from apps.common.admin_base import (
    BY_WORKSPACE,
    ReadOnlyAdmin,
    choices,
    column,
    label_of,
    link_column,
    link_row,
    list_url,
    name_column,
)
from apps.common.errors import ContinuityError
from apps.engine.memory.tree import diff
from apps.memory.admin.bulk_actions import ReasonForm, acting_on, reason_of, refusals_show
from apps.memory.admin.node_panels import FIELDS, changed, source_link, writer
from apps.memory.models import MemAccess, MemRevision, MemSource, MemTombstone
from apps.memory.services.tree.undo.change_undo import change_undo

OPERATION_TONES = {"create": "success", "undo": "info", "archive": "warning"}
_SHORT = 12
_CONTENT = "l2_content"


@admin.register(MemRevision)
class MemRevisionAdmin(ReadOnlyAdmin):
    action_form = ReasonForm
    list_display = (
        *("place", "shown_operation", "shown_changed", "by", "reason", "node_link", "workspace_link", "created_at"),
    )
    list_filter = (choices("operation"), ("actor", AutocompleteSelectFilter), BY_WORKSPACE)
    list_select_related = ("node", "actor", "workspace")
    id_search = ("id", "node_id", "change", "actor_id")
    search_fields = ("node__uri__startswith", "actor__email")
    search_help_text = "Search by id, the id of a memory or a change, beginning of the address, or email"
    paginator = InfinitePaginator
    actions = ("undo",)
    fieldsets = (
        (None, {"fields": (("node_link", "workspace_link"), ("place", "shown_operation"), "change_link")}),
        ("Why", {"fields": (("by", "created_at"), "reason")}),
        ("What", {"fields": ("difference",)}),
    )
    node_link = link_column("node", "memory")
    workspace_link = link_column("workspace")

    def label(self, row: MemRevision) -> str:
        return f"v{row.number} of {row.node.uri}"

    @column("version", order="number")
    def place(self, row: MemRevision) -> str:
        return f"v{row.number}"

    @column("operation", order="operation", tones=OPERATION_TONES)
    def shown_operation(self, row: MemRevision) -> str:
        return row.operation

    @column("changed")
    def shown_changed(self, row: MemRevision) -> str:
        return changed(row)

    @column("by")
    def by(self, row: MemRevision) -> str:
        return writer(row)

    @column("same change")
    def change_link(self, row: MemRevision) -> SafeString:
        links = [(list_url(MemRevision, change__exact=row.change), "everything it changed")]
        if row.undoes:
            links.append((list_url(MemRevision, change__exact=row.undoes), "the change it undid"))
        return link_row([*links, (list_url(MemRevision, undoes__exact=row.change), "undone by")])

    @column("difference")
    def difference(self, row: MemRevision) -> SafeString:
        fields = [
            (FIELDS.get(name, name), _said(row.before, name), _said(row.after, name))
            for name in (*FIELDS, *sorted(row.after.keys() - FIELDS.keys()))
            if name in row.after and name != _CONTENT
        ]
        hunks = diff(row.before.get(_CONTENT, ""), row.after.get(_CONTENT, "")) if _CONTENT in row.after else ()
        return render_to_string("console/difference.html", {"fields": fields, "hunks": hunks})

    @admin.action(description="Undo the whole change", permissions=["undo"])
    def undo(self, request: HttpRequest, queryset: QuerySet[MemRevision]) -> None:
        rows = {row.change: row for row in queryset.select_related("node").order_by("id")}
        count, refused = 0, []
        for row in reversed(rows.values()):
            try:
                self._undo(request, row)
                count += 1
            except ContinuityError as error:
                refused.append(f"{label_of(row)}: {error.detail}")
        told = f"{count:,} {'change' if count == 1 else 'changes'} undone."
        self.message_user(request, told, messages.SUCCESS if count else messages.WARNING)
        refusals_show(self, request, refused)

    def has_undo_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("memory.change_memnode"))

    def _undo(self, request: HttpRequest, row: MemRevision) -> None:
        reason = reason_of(request.POST.get("reason"))
        with acting_on(request, row.node) as actor:
            change_undo(actor, node_id=row.node_id, change_id=row.change, reason=reason)


@admin.register(MemSource)
class MemSourceAdmin(ReadOnlyAdmin):
    list_display = ("shown_kind", "reference", "node_link", "workspace_link")
    list_filter = (choices("kind"), BY_WORKSPACE)
    list_select_related = ("node", "workspace")
    id_search = ("id", "node_id")
    search_fields = ("reference__exact",)
    search_help_text = "Search by id, the id of a memory, or the name of an import"
    paginator = InfinitePaginator
    fields = ("node_link", "workspace_link", "shown_kind", "from_link")
    node_link = link_column("node", "memory")
    workspace_link = link_column("workspace")

    def label(self, row: MemSource) -> str:
        return f"{row.kind} of {row.node.uri}"

    @column("kind", order="kind")
    def shown_kind(self, row: MemSource) -> str:
        return row.kind

    @column("source")
    def from_link(self, row: MemSource) -> SafeString | str:
        return source_link(row)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Also search by the source's id, which is stored as text."""
        found, twice = super().get_search_results(request, queryset, search_term)
        return (found | queryset.filter(reference=search_term.strip()) if search_term else found), twice


@admin.register(MemTombstone)
class MemTombstoneAdmin(ReadOnlyAdmin):
    """Admin of tombstones, which store only digests."""

    list_display = ("shown_address", "shown_what", "owner_link", "erased_by_link", "workspace_link", "erased_at")
    list_filter = (("erased_by", AutocompleteSelectFilter), BY_WORKSPACE)
    list_select_related = ("owner", "erased_by", "workspace")
    id_search = ("id", "owner_id", "erased_by_id")
    search_fields = ("owner__email", "erased_by__email")
    search_help_text = "Search by id, or email of the owner or of who deleted it"
    fields = (*("shown_address", "shown_what", "owner_link", "erased_by_link", "workspace_link", "erased_at"),)
    owner_link = link_column("owner")
    erased_by_link = link_column("erased_by", "deleted by")
    workspace_link = link_column("workspace")

    def label(self, row: MemTombstone) -> str:
        return f"Erased {row.erased_at:%d %b %Y %H:%M}"

    @column("digest of the address")
    def shown_address(self, row: MemTombstone) -> str:
        return f"{row.address_digest[:_SHORT]}…"

    @column("type")
    def shown_what(self, row: MemTombstone) -> str:
        return "a memory" if row.content_digest else "a directory"


@admin.register(MemAccess)
class MemAccessAdmin(ReadOnlyAdmin):
    """Admin of accesses that a job has not applied yet."""

    list_display = ("node_name", "workspace_link", "accessed_at")
    list_filter = (BY_WORKSPACE,)
    list_select_related = ("node", "workspace")
    id_search = ("id", "node_id")
    search_help_text = "Search by the id of an access or of its memory"
    paginator = InfinitePaginator
    fields = ("node_link", "workspace_link", "accessed_at")
    node_name = name_column("node", "memory")
    node_link = link_column("node", "memory")
    workspace_link = link_column("workspace")

    def label(self, row: MemAccess) -> str:
        return f"Access to {row.node.uri}"


def _said(state: Mapping[str, Any], name: str) -> str:
    value = state.get(name)
    if value in ([], "", None):
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
