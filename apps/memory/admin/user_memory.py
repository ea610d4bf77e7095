"""Admin pages of user memory. Token counts and versions are updated with the text."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from apps.common.admin_base import (
    BY_WORKSPACE,
    ConsoleAdmin,
    TenantForm,
    choices,
    column,
    excerpt_of,
    link_column,
    number,
)
from apps.engine.tokens.counting import count_text
from apps.memory.models import UserMemory
from apps.memory.services.events import user_memory_announce
from apps.memory.services.index.passages import user_memory_passages_sync

ACTIVE_TONES = {"in use": "success", "off": "warning"}


@admin.register(UserMemory)
class UserMemoryAdmin(ConsoleAdmin):
    form = TenantForm
    list_display = ("key", "type", "excerpt", "shown_state", "user_link", "workspace_link", "updated_at")
    list_filter = (choices("type"), "is_active", BY_WORKSPACE)
    list_select_related = ("user", "workspace")
    id_search = ("id", "user_id")
    search_fields = ("key", "user__email")
    search_help_text = "Search by id, key or email"
    fixed_fields = ("workspace", "user")
    autocomplete_fields = ("workspace", "user")
    readonly_fields = ("shown_tokens", "version", "created_at", "updated_at")
    fieldsets = (
        (None, {"fields": (("workspace", "user"), ("type", "key"), "content", "is_active")}),
        ("Record", {"fields": (("shown_tokens", "version"), ("created_at", "updated_at"))}),
    )
    add_fieldsets = ((None, {"fields": (("workspace", "user"), ("type", "key"), "content", "is_active")}),)
    user_link = link_column("user")
    workspace_link = link_column("workspace")

    def label(self, row: UserMemory) -> str:
        return row.key

    @column("text")
    def excerpt(self, row: UserMemory) -> str:
        return excerpt_of(row.content)

    @column("state", order="is_active", tones=ACTIVE_TONES)
    def shown_state(self, row: UserMemory) -> str:
        return "in use" if row.is_active else "off"

    @column("tokens", order="token_count")
    def shown_tokens(self, row: UserMemory) -> str | None:
        return number(row.token_count)

    def save_model(self, request: HttpRequest, obj: UserMemory, form: Any, change: bool) -> None:
        obj.token_count = count_text(obj.content)
        obj.version += int(change)
        super().save_model(request, obj, form, change)
        user_memory_passages_sync([obj.id])
        user_memory_announce(workspace_id=obj.workspace.id, user_id=obj.user_id, memory_id=obj.id)
