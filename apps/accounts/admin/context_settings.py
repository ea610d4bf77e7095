"""Read-only admin page for members' context settings."""

from __future__ import annotations

from django.contrib import admin

from apps.accounts.models import ContextSettings
from apps.common.admin_base import BY_WORKSPACE, ReadOnlyAdmin, link_column, name_column


@admin.register(ContextSettings)
class ContextSettingsAdmin(ReadOnlyAdmin):
    list_display = ("who", "workspace_link", "knowledge_depth", "history_first", "token_budget", "updated_at")
    list_filter = (BY_WORKSPACE,)
    list_select_related = ("user", "workspace")
    id_search = ("id", "user_id")
    search_fields = ("user__email",)
    search_help_text = "Search by id or email"
    fields = (
        ("user_link", "workspace_link"),
        ("knowledge_depth", "history_first", "token_budget"),
        ("version", "updated_at"),
    )
    who = name_column("user", "who")
    user_link = link_column("user")
    workspace_link = link_column("workspace")
