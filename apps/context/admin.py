"""Admin pages of cache epochs and of what replies used: numbers and ids, without any content of a pack."""

from __future__ import annotations

from django.contrib import admin

from apps.common.admin_base import BY_WORKSPACE, ReadOnlyAdmin, column, label_of, link_column, name_column, number
from apps.context.models import PackEpoch, UsedItems


class OfReaderAdmin(ReadOnlyAdmin):
    """Rows of a conversation and of a reader of its packs."""

    list_filter = (BY_WORKSPACE,)
    list_select_related = ("conversation", "user", "workspace")
    search_fields = ("conversation__title", "user__email")
    search_help_text = "Search by id, conversation's title or email"
    conversation_name = name_column("conversation")
    conversation_link = link_column("conversation")
    reader = name_column("user", "reader")
    user_link = link_column("user")
    workspace_link = link_column("workspace")


@admin.register(PackEpoch)
class PackEpochAdmin(OfReaderAdmin):
    list_display = (
        *("conversation_name", "reader", "budget", "number", "reasons", "ended_by"),
        *("workspace_link", "began_at", "used_at"),
    )
    id_search = ("id", "conversation_id", "user_id")
    fieldsets = (
        (None, {"fields": (("conversation_link", "user_link", "workspace_link"),)}),
        ("Epoch", {"fields": (("number", "budget"), ("reasons", "ended_by"), ("began_at", "used_at"))}),
        ("Last pack", {"fields": ("last_tokens",)}),
    )

    def label(self, row: PackEpoch) -> str:
        return f"Epoch {row.number} of {label_of(row.conversation)}"

    @column("tokens of its pieces")
    def last_tokens(self, row: PackEpoch) -> str | None:
        return number(sum(tokens for _, tokens in row.pieces))


@admin.register(UsedItems)
class UsedItemsAdmin(OfReaderAdmin):
    list_display = ("conversation_name", "reader", "item_count", "workspace_link")
    id_search = ("id", "conversation_id", "user_id", "reply_id")
    fields = (("conversation_link", "user_link", "workspace_link"), "reply_id", "items")

    def label(self, row: UsedItems) -> str:
        return f"Used for a reply in {label_of(row.conversation)}"

    @column("items")
    def item_count(self, row: UsedItems) -> str | None:
        return number(len(row.items))
