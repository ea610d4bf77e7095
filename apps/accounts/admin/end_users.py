"""Read-only admin page of the users of applications."""

from __future__ import annotations

from django.contrib import admin

from apps.accounts.models import EndUser
from apps.common.admin_base import BY_WORKSPACE, ReadOnlyAdmin, link_column


@admin.register(EndUser)
class EndUserAdmin(ReadOnlyAdmin):
    """An application's key manages them; here is whose rows are whose."""

    list_display = ("external_id", "user_link", "workspace_link", "created_at")
    list_filter = (BY_WORKSPACE,)
    list_select_related = ("user", "workspace")
    id_search = ("id", "user_id", "workspace_id")
    search_fields = ("external_id",)
    search_help_text = "Search by id, also the application's own"
    fields = ("external_id", ("user_link", "workspace_link"), "created_at")
    user_link = link_column("user", "account")
    workspace_link = link_column("workspace")
