"""Console pages of conversations: messages are read-only; titles, prompts and shares can be changed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString
from unfold.paginator import InfinitePaginator

from apps.common.admin_base import (
    BY_WORKSPACE,
    ROLE_SYMBOLS,
    Card,
    ConsoleAdmin,
    ReadOnlyAdmin,
    TableInline,
    TenantForm,
    choices,
    column,
    excerpt_of,
    first_id_at,
    is_set,
    link_column,
    link_row,
    list_url,
    name_column,
    number,
    plain_text,
)
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation, ConversationShare, ConversationTombstone, Message
from apps.conversations.selectors.access import conversation_lock
from apps.conversations.services.events import conversation_announce

STATE_TONES = {"live": "success", "excluded": "warning", "archived": "warning", "open": "success"}


class ShareForm(TenantForm):
    """Only members, each once, and not the owner; the share belongs to the conversation's workspace."""

    def workspace_of(self, cleaned: dict[str, Any]) -> Any:
        self.instance.workspace = self.instance.conversation.workspace
        return self.instance.workspace

    def clean(self) -> dict[str, Any]:
        cleaned, conversation = super().clean(), self.instance.conversation
        person = cleaned.get("user")
        shares = ConversationShare.objects.filter(conversation=conversation, user=person).exclude(pk=self.instance.pk)
        if person is not None and person.pk == conversation.owner_id:
            raise ValidationError("This person already owns the conversation.")
        if person is not None and shares.exists():
            raise ValidationError("The conversation is already shared with this person.")
        return cleaned


class ShareInline(TableInline):
    model = ConversationShare
    form = ShareForm
    fields = ("user", "access")
    autocomplete_fields = ("user",)
    verbose_name_plural = "Shared with"


@admin.register(Conversation)
class ConversationAdmin(ConsoleAdmin):
    list_display = (
        "shown_title",
        "owner_link",
        "workspace_link",
        "shown_messages",
        "shown_live",
        "shown_state",
        "updated_at",
    )
    list_filter = (BY_WORKSPACE, is_set("archived_at", "archived"))
    list_select_related = ("owner", "workspace", "copied_from")
    id_search = ("id", "owner_id", "copied_from_id")
    search_fields = ("title", "external_id", "owner__email")
    search_help_text = "Search by id, title, owner's email or external id"
    inlines = (ShareInline,)
    actions = ("archive", "unarchive")
    fieldsets = (
        (None, {"fields": ("title", "system_prompt", ("owner_link", "workspace_link"), "related")}),
        (
            "Counts",
            {
                "fields": (
                    ("shown_messages", "shown_live", "shown_state"),
                    ("shown_total", "shown_excluded", "shown_live_tokens"),
                )
            },
        ),
        ("Origin", {"fields": ("external_id", "copied_link", "copied_through"), "classes": ("collapse",)}),
        ("Record", {"fields": (("version", "archived_at"), ("created_at", "updated_at")), "classes": ("collapse",)}),
    )
    readonly_fields = (
        *("owner_link", "workspace_link", "related", "shown_messages", "shown_live", "shown_state", "shown_total"),
        *("shown_excluded", "shown_live_tokens", "external_id", "copied_link", "copied_through"),
        *("version", "created_at", "updated_at", "archived_at"),
    )
    owner_link = link_column("owner")
    workspace_link = link_column("workspace")
    copied_link = link_column("copied_from", "forked from")

    def label(self, row: Conversation) -> str:
        return row.title or f"Untitled, {row.created_at:%d %b %Y %H:%M}"

    @column("conversation", order="title")
    def shown_title(self, row: Conversation) -> str:
        return self.label(row)

    @column("messages", order="message_count")
    def shown_messages(self, row: Conversation) -> str | None:
        return number(row.message_count)

    @column("live messages", order="live_count")
    def shown_live(self, row: Conversation) -> str | None:
        return number(row.live_count)

    @column("tokens in total", order="token_total")
    def shown_total(self, row: Conversation) -> str | None:
        return number(row.token_total)

    @column("excluded tokens", order="excluded_tokens")
    def shown_excluded(self, row: Conversation) -> str | None:
        return number(row.excluded_tokens)

    @column("live tokens", order="live_tokens")
    def shown_live_tokens(self, row: Conversation) -> str | None:
        return number(row.live_tokens)

    @column("state", order="archived_at", tones=STATE_TONES)
    def shown_state(self, row: Conversation) -> str:
        return "archived" if row.archived_at else "open"

    @column("open")
    def related(self, row: Conversation) -> SafeString:
        here = {"conversation__id__exact": row.pk}
        return link_row(
            [
                (list_url(Message, **here, o=1), f"{row.message_count:,} messages"),
                (list_url("memory.PinnedMemory", **here), "pins"),
                (list_url("compaction.ConversationContext", **here), "context and summary"),
                (list_url("compaction.SummaryVersion", **here), "summary versions"),
                (list_url("compaction.CompactionRun", **here), "compaction runs"),
                (list_url("jobs.DueJob", key__exact=row.pk), "jobs"),
                (list_url(Conversation, copied_from__id__exact=row.pk), "forks"),
            ]
        )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Conversation, form: Any, change: bool) -> None:
        # The counters belong to those who store messages, who may be doing so right now.
        with workspace(obj.workspace.id):
            row = conversation_lock(obj.pk)
            for field in form.changed_data:
                setattr(row, field, getattr(obj, field))
            row.version += 1
            row.save(update_fields=[*form.changed_data, "version", "updated_at"])

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        with workspace(form.instance.workspace.id):
            conversation_announce(conversation_id=form.instance.pk)

    @admin.action(description="Archive", permissions=["change"])
    def archive(self, request: HttpRequest, queryset: QuerySet[Conversation]) -> None:
        count = _archive_from(queryset.filter(archived_at=None), timezone.now())
        self.message_user(request, f"{count} conversations archived.")

    @admin.action(description="Unarchive", permissions=["change"])
    def unarchive(self, request: HttpRequest, queryset: QuerySet[Conversation]) -> None:
        count = _archive_from(queryset.exclude(archived_at=None), None)
        self.message_user(request, f"{count} conversations unarchived.")


def _archive_from(queryset: QuerySet[Conversation], archived_at: datetime | None) -> int:
    chosen = sorted(queryset.values_list("workspace_id", "pk"))
    rows = Conversation.objects.filter(pk__in=[conversation_id for _, conversation_id in chosen])
    count = rows.update(archived_at=archived_at, updated_at=timezone.now(), version=F("version") + 1)
    for workspace_id, conversation_id in chosen:
        with workspace(workspace_id):
            conversation_announce(conversation_id=conversation_id)
    return count


@admin.register(ConversationShare)
class ConversationShareAdmin(ReadOnlyAdmin):
    """Shares are edited on the page of their conversation."""

    list_display = ("conversation_name", "user_link", "access", "workspace_link", "created_at")
    list_filter = (choices("access"), BY_WORKSPACE)
    list_select_related = ("conversation", "user", "workspace")
    id_search = ("id", "conversation_id", "user_id")
    search_fields = ("user__email", "conversation__title")
    search_help_text = "Search by id, person's email or conversation's title"
    fields = ("conversation_link", "user_link", "access", "workspace_link", "created_at")
    conversation_name = name_column("conversation")
    conversation_link = link_column("conversation")
    user_link = link_column("user", "shared with")
    workspace_link = link_column("workspace")


@admin.register(Message)
class MessageAdmin(ReadOnlyAdmin):
    """Messages are read-only; they are excluded through the API, which also updates the summary."""

    list_display = (
        "place",
        "excerpt",
        "shown_state",
        "shown_tokens",
        "conversation_link",
        "workspace_link",
        "created_at",
    )
    list_filter = (choices("role"), choices("status"), "excluded", BY_WORKSPACE)
    list_select_related = ("conversation", "workspace")
    id_search = ("id", "conversation_id")
    search_help_text = "Search by the id of a message or of its conversation"
    paginator = InfinitePaginator
    fieldsets = (
        (None, {"fields": (("place", "author", "shown_state"), "full_text")}),
        ("Where", {"fields": (("conversation_link", "workspace_link"), "created_at")}),
        ("Tokens", {"fields": (("shown_tokens", "shown_cost", "shown_through"),)}),
        ("Parts and origin", {"fields": ("parts", "external_id", "copied_from"), "classes": ("collapse",)}),
    )
    conversation_link = link_column("conversation")
    workspace_link = link_column("workspace")

    def label(self, row: Message) -> str:
        return f"{ROLE_SYMBOLS[row.role]} {row.index} {excerpt_of(row.content)}"

    @column("message", order="index")
    def place(self, row: Message) -> str:
        return f"{ROLE_SYMBOLS[row.role]} {row.index}"

    @column("author")
    def author(self, row: Message) -> str:
        return f"{row.name} ({row.role})" if row.name else row.role

    @column("text")
    def excerpt(self, row: Message) -> str:
        return excerpt_of(row.content)

    @column("text")
    def full_text(self, row: Message) -> SafeString | None:
        return plain_text(row.content)

    @column("state", order="compacted_in", tones=STATE_TONES)
    def shown_state(self, row: Message) -> str:
        if row.excluded:
            return "excluded"
        return "live" if row.compacted_in is None else f"in summary v{row.compacted_in}"

    @column("tokens", order="token_count")
    def shown_tokens(self, row: Message) -> str | None:
        return number(row.token_count)

    @column("live tokens")
    def shown_cost(self, row: Message) -> str | None:
        return number(row.live_cost)

    @column("running total")
    def shown_through(self, row: Message) -> str | None:
        return number(row.tokens_through)

    def cards(self) -> Iterable[Card]:
        begin = first_id_at(timezone.now().replace(hour=0, minute=0, second=0, microsecond=0))
        count = Message.objects.filter(id__gte=begin).count()
        yield Card(
            "In use", "Messages today", f"{count:,}", "stored since midnight, UTC", list_url(Message, id__gte=begin)
        )


@admin.register(ConversationTombstone)
class ConversationTombstoneAdmin(ReadOnlyAdmin):
    """Admin of tombstones, which store only a digest."""

    list_display = ("shown_name", "owner_link", "workspace_link", "deleted_at")
    list_filter = (BY_WORKSPACE,)
    list_select_related = ("owner", "workspace")
    id_search = ("id", "owner_id")
    search_fields = ("owner__email",)
    search_help_text = "Search by id, or email of the owner"
    fields = ("shown_name", "owner_link", "workspace_link", "deleted_at")
    owner_link = link_column("owner")
    workspace_link = link_column("workspace")

    def label(self, row: ConversationTombstone) -> str:
        return f"Deleted {row.deleted_at:%d %b %Y %H:%M}"

    @column("digest of the name")
    def shown_name(self, row: ConversationTombstone) -> str:
        return f"{row.external_digest[:12]}…"
