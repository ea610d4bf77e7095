"""Read-only admin pages for the audit log: operator access, console changes, and idempotency keys."""

from __future__ import annotations

from datetime import datetime

from django.contrib import admin
from django.contrib.admin.models import LogEntry

from apps.accounts.models import (
    IdempotencyKey,
    OperatorAccess,
)
from apps.common.admin_base import (
    BY_WORKSPACE,
    ReadOnlyAdmin,
    column,
    link_column,
)


@admin.register(IdempotencyKey)
class IdempotencyKeyAdmin(ReadOnlyAdmin):
    """Idempotency keys, without the stored responses."""

    list_display = ("key", "status", "user_link", "workspace_link", "created_at")
    list_filter = (BY_WORKSPACE,)
    list_select_related = ("user", "workspace")
    id_search = ("id", "user_id")
    search_fields = ("key",)
    search_help_text = "Search by id or key"
    fields = ("key", "status", "request_digest", "user_link", "workspace_link", "created_at")
    user_link = link_column("user")
    workspace_link = link_column("workspace")


@admin.register(OperatorAccess)
class OperatorAccessAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "who", "reason")
    list_select_related = ("user",)
    id_search = ("id", "user_id")
    search_fields = ("user__email", "reason")
    search_help_text = "Search by id, email or reason"
    ordering = ("-created_at",)
    date_hierarchy = "created_at"
    fields = ("created_at", "who", "reason")

    @column("who", order="user__email")
    def who(self, row: OperatorAccess) -> str:
        return row.user.email if row.user else "a command"


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnlyAdmin):
    """Django's log of changes in the console, which contains rows and field names but no values."""

    list_display = ("shown_time", "user_link", "what", "row", "change")
    list_select_related = ("user", "content_type")
    ordering = ("-action_time",)
    id_search = ("user_id",)
    search_fields = ("object_repr", "user__email")
    search_help_text = "Search by row or email"
    fields = ("shown_time", "user_link", "what", "row", "change")
    user_link = link_column("user", "who")

    @column("when", order="action_time")
    def shown_time(self, row: LogEntry) -> datetime:
        return row.action_time

    @column("row", order="object_repr")
    def row(self, row: LogEntry) -> str:
        return row.object_repr

    @column("change")
    def change(self, row: LogEntry) -> str:
        return row.get_change_message()

    @column("what")
    def what(self, row: LogEntry) -> str:
        return f"{row.get_action_flag_display()}: {row.content_type.name if row.content_type else 'deleted'}".lower()


for _model in [model for model in admin.site._registry if model._meta.app_label == "account"]:
    # Email addresses are edited on the user's page.
    admin.site.unregister(_model)
