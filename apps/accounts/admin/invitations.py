"""Admin page for invitations, which can only be revoked. Links are shown only once, by the API."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from apps.accounts.models import Invitation
from apps.common.admin_base import BY_WORKSPACE, ConsoleAdmin, choices, column, counted, is_set, link_column

TONES = {"pending": "success", "expired": "warning", "ended": "danger"}


@admin.register(Invitation)
class InvitationAdmin(ConsoleAdmin):
    list_display = ("email", "role", "shown_state", "inviter_link", "workspace_link", "expires_at")
    list_filter = (choices("role"), is_set("ended_at", "ended"), BY_WORKSPACE)
    list_select_related = ("invited_by", "workspace")
    id_search = ("id", "workspace_id", "invited_by_id")
    search_fields = ("email", "workspace__name")
    search_help_text = "Search by id, email or workspace"
    actions = ("revoke",)
    readonly_fields = (
        *("email", "role", "shown_state", "inviter_link", "workspace_link"),
        *("created_at", "expires_at", "ended_at"),
    )
    fieldsets = (
        (None, {"fields": (("email", "role"), "shown_state", ("inviter_link", "workspace_link"))}),
        ("Times", {"fields": (("created_at", "expires_at"), "ended_at")}),
    )
    inviter_link = link_column("invited_by")
    workspace_link = link_column("workspace")

    @column("state", order="ended_at", tones=TONES)
    def shown_state(self, row: Invitation) -> str:
        if row.ended_at is not None:
            return "ended"
        return "expired" if row.expires_at <= timezone.now() else "pending"

    @admin.action(description="Revoke", permissions=["change"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[Invitation]) -> None:
        revoked = queryset.filter(ended_at=None).update(ended_at=timezone.now())
        self.message_user(request, f"{counted(revoked, 'invitation')} revoked.")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
