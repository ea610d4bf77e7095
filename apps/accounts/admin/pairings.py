"""Read-only admin pages of pairings, paired clients and the installation's identity."""

from __future__ import annotations

from django.contrib import admin

from apps.accounts.models import Installation, PairedClient, Pairing
from apps.common.admin_base import BY_WORKSPACE, ReadOnlyAdmin, choices, link_column


@admin.register(Pairing)
class PairingAdmin(ReadOnlyAdmin):
    """Pairings of the last minutes. Without the client's own code, the user code opens nothing."""

    list_display = ("name", "client", "status", "user_link", "workspace_link", "expires_at")
    list_filter = (choices("status"),)
    list_select_related = ("user", "workspace")
    id_search = ("id", "user_id", "workspace_id")
    search_fields = ("name", "client")
    search_help_text = "Search by id, machine or client"
    fields = (("name", "client", "version"), "status", ("user_link", "workspace_link"), ("created_at", "expires_at"))
    user_link = link_column("user")
    workspace_link = link_column("workspace")


@admin.register(PairedClient)
class PairedClientAdmin(ReadOnlyAdmin):
    list_display = ("name", "client", "user_link", "workspace_link", "last_event", "last_event_at", "event_count")
    list_filter = (BY_WORKSPACE,)
    list_select_related = ("user", "workspace")
    id_search = ("id", "user_id", "api_key_id")
    search_fields = ("name", "client", "user__email")
    search_help_text = "Search by id, machine, client or email"
    fields = (
        ("name", "client", "version"),
        ("user_link", "workspace_link", "key_link"),
        ("paired_at", "last_event_at", "last_event", "event_count"),
    )
    user_link = link_column("user")
    workspace_link = link_column("workspace")
    key_link = link_column("api_key", "key")


@admin.register(Installation)
class InstallationAdmin(ReadOnlyAdmin):
    list_display = ("id", "created_at")
    id_search = ("id",)
    search_help_text = "Search by id"
    fields = ("id", "created_at")
