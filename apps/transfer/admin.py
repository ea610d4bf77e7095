"""Admin pages of imports."""

from __future__ import annotations

from django.contrib import admin

from apps.common.admin_base import BY_WORKSPACE, ReadOnlyAdmin, choices, link_column
from apps.transfer.models import ImportedItem, ImportRun


@admin.register(ImportRun)
class ImportRunAdmin(ReadOnlyAdmin):
    list_display = ("import_id", "source", "user", "workspace_link", "created_at", "updated_at")
    list_filter = ("source", BY_WORKSPACE)
    list_select_related = ("user", "workspace")
    id_search = ("id", "import_id", "user_id")
    search_fields = ("user__email",)
    search_help_text = "Search by id or email"
    fieldsets = ((None, {"fields": (("import_id", "source"), ("user_link", "workspace_link"), "updated_at")}),)
    user_link = link_column("user")
    workspace_link = link_column("workspace")

    def label(self, row: ImportRun) -> str:
        return f"Import of {row.source} on {row.created_at:%Y-%m-%d}"


@admin.register(ImportedItem)
class ImportedItemAdmin(ReadOnlyAdmin):
    list_display = ("key", "kind", "source", "status", "reason", "user", "workspace_link")
    list_filter = ("source", "kind", choices("status"), BY_WORKSPACE)
    list_select_related = ("user", "workspace")
    id_search = ("id", "user_id", "run", "last_run", "node", "conversation", "session")
    search_fields = ("key", "user__email")
    search_help_text = "Search by id, key or email"
    fieldsets = (
        (None, {"fields": (("user_link", "workspace_link"),)}),
        ("Item", {"fields": (("source", "kind", "key"), ("status", "reason"), ("run", "last_run"))}),
        ("What it became", {"fields": (("node", "conversation", "session"),)}),
    )
    user_link = link_column("user")
    workspace_link = link_column("workspace")

    def label(self, row: ImportedItem) -> str:
        return f"{row.kind} {row.key}"
