"""Admin pages of pins. Token counts and versions are updated with the text."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import QuerySet
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
from apps.common.tenancy import workspace
from apps.engine.tokens.counting import count_text
from apps.memory.models import PinnedMemory
from apps.memory.services.events import pins_announce


class PinForm(TenantForm):
    """Form of a pin, whose message must belong to its conversation."""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        message, conversation = cleaned.get("message"), cleaned.get("conversation")
        if message is not None and conversation is not None and message.conversation_id != conversation.pk:
            self.add_error("message", "This message belongs to another conversation.")
        return self.cleaned_data


@admin.register(PinnedMemory)
class PinnedMemoryAdmin(ConsoleAdmin):
    form = PinForm
    list_display = ("excerpt", "category", "conversation_link", "shown_tokens", "workspace_link", "pinned_at")
    list_filter = (choices("category"), BY_WORKSPACE)
    list_select_related = ("conversation", "workspace", "pinned_by")
    id_search = ("id", "conversation_id", "message_id", "pinned_by_id")
    search_fields = ("conversation__title", "pinned_by__email")
    search_help_text = "Search by id, conversation's title or email of who pinned it"
    fixed_fields = ("workspace", "conversation", "message")
    autocomplete_fields = ("workspace", "conversation")
    raw_id_fields = ("message",)
    readonly_fields = (
        "shown_tokens",
        "version",
        "pinned_by",
        "pinned_at",
        "message_link",
        "conversation_link",
        "workspace_link",
    )
    add_fieldsets = ((None, {"fields": ("workspace", "conversation", "message", "category", "content")}),)
    fieldsets = (
        (None, {"fields": ("content", "category")}),
        ("Where", {"fields": ("message_link", ("conversation_link", "workspace_link"))}),
        ("Record", {"fields": (("shown_tokens", "version"), ("pinned_by", "pinned_at"))}),
    )
    message_link = link_column("message", "from message")
    conversation_link = link_column("conversation")
    workspace_link = link_column("workspace")

    def label(self, row: PinnedMemory) -> str:
        return excerpt_of(row.content)

    @column("pinned text")
    def excerpt(self, row: PinnedMemory) -> str:
        return excerpt_of(row.content)

    @column("tokens", order="token_count")
    def shown_tokens(self, row: PinnedMemory) -> str | None:
        return number(row.token_count)

    def save_model(self, request: HttpRequest, obj: PinnedMemory, form: Any, change: bool) -> None:
        obj.token_count = count_text(obj.content)
        if change:
            obj.version += 1
        else:
            obj.pinned_by_id = request.user.pk
        super().save_model(request, obj, form, change)
        _announce(obj.workspace.id, obj.conversation_id)

    def delete_model(self, request: HttpRequest, obj: PinnedMemory) -> None:
        super().delete_model(request, obj)
        _announce(obj.workspace.id, obj.conversation_id)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[PinnedMemory]) -> None:
        conversations = sorted(set(queryset.values_list("workspace_id", "conversation_id")))
        super().delete_queryset(request, queryset)
        for workspace_id, conversation_id in conversations:
            _announce(workspace_id, conversation_id)


def _announce(workspace_id: UUID, conversation_id: UUID) -> None:
    """Announce the pins of a conversation, in a unit of work of the operator."""
    with workspace(workspace_id):
        pins_announce(conversation_id=conversation_id)
