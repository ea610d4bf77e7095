"""Memory in the console: pins, what people wrote of themselves, and the tree. Counts and versions follow the text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString

from apps.common.console import (
    BY_WORKSPACE,
    ConsoleAdmin,
    TenantForm,
    choices,
    column,
    excerpt_of,
    link_column,
    link_row,
    list_url,
    number,
)
from apps.engine.tokens import count_text
from apps.memory.models import MemNode, NodeType, PinnedMemory, UserMemory
from apps.memory.services.announcing import pins_announce, user_memory_announce

ACTIVE_TONES = {"in use": "success", "switched off": "warning"}
TRUST_TONES = {"direct user": "success", "model inference": "info", "tool": "warning", "imported": "warning"}
ADDRESS = re.compile(r"mem://(user|agent|sessions)(/[^/\s]{1,64})*")


class PinForm(TenantForm):
    """A pin's message is one of its conversation."""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        message, conversation = cleaned.get("message"), cleaned.get("conversation")
        if message is not None and conversation is not None and message.conversation_id != conversation.pk:
            self.add_error("message", "This message is of another conversation.")
        return self.cleaned_data


@admin.register(PinnedMemory)
class PinnedMemoryAdmin(ConsoleAdmin):
    form = PinForm
    list_display = ("excerpt", "category", "conversation_link", "shown_tokens", "workspace_link", "pinned_at")
    list_filter = (choices("category"), BY_WORKSPACE)
    list_select_related = ("conversation", "workspace", "pinned_by")
    id_search = ("id", "conversation_id", "message_id", "pinned_by_id")
    search_fields = ("conversation__title", "pinned_by__email")
    search_help_text = "Search by id, conversation's title or e-mail of who pinned it"
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
        pins_announce(conversation_id=obj.conversation_id)

    def delete_model(self, request: HttpRequest, obj: PinnedMemory) -> None:
        super().delete_model(request, obj)
        pins_announce(conversation_id=obj.conversation_id)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[PinnedMemory]) -> None:
        gone = set(queryset.values_list("conversation_id", flat=True))
        super().delete_queryset(request, queryset)
        for conversation_id in sorted(gone):
            pins_announce(conversation_id=conversation_id)


@admin.register(UserMemory)
class UserMemoryAdmin(ConsoleAdmin):
    form = TenantForm
    list_display = ("key", "type", "excerpt", "shown_state", "user_link", "workspace_link", "updated_at")
    list_filter = (choices("type"), "is_active", BY_WORKSPACE)
    list_select_related = ("user", "workspace")
    id_search = ("id", "user_id")
    search_fields = ("key", "user__email")
    search_help_text = "Search by id, key or e-mail"
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
        return "in use" if row.is_active else "switched off"

    @column("tokens", order="token_count")
    def shown_tokens(self, row: UserMemory) -> str | None:
        return number(row.token_count)

    def save_model(self, request: HttpRequest, obj: UserMemory, form: Any, change: bool) -> None:
        obj.token_count = count_text(obj.content)
        obj.version += int(change)
        super().save_model(request, obj, form, change)
        user_memory_announce(workspace_id=obj.workspace.id, user_id=obj.user_id, memory_id=obj.id)


class NodeForm(TenantForm):
    """A new address is well formed, new, and in its owner's part of the tree."""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if uri := cleaned.get("uri"):
            self._check_address(uri, cleaned)
        return self.cleaned_data

    def _check_address(self, uri: str, cleaned: dict[str, Any]) -> None:
        owner = cleaned.get("owner")
        if not ADDRESS.fullmatch(uri):
            self.add_error("uri", "An address is like mem://user/profile or mem://agent/patterns/retries.")
        elif uri.startswith("mem://agent") != (owner is None):
            self.add_error("owner", "The workspace owns mem://agent; everything else has a person as its owner.")
        elif MemNode.objects.filter(workspace=cleaned.get("workspace"), owner=owner, uri=uri).exists():
            self.add_error("uri", "There is a node with this address already.")


@admin.register(MemNode)
class MemNodeAdmin(ConsoleAdmin):
    form = NodeForm
    list_display = ("uri", "category", "excerpt", "shown_trust", "owner_link", "workspace_link", "updated_at")
    list_filter = (choices("category"), choices("node_type"), choices("trust"), BY_WORKSPACE)
    list_select_related = ("owner", "workspace", "parent")
    id_search = ("id", "owner_id", "parent_id")
    search_fields = ("uri", "owner__email")
    search_help_text = "Search by id, address or owner's e-mail"
    fixed_fields = ("workspace", "owner", "uri", "node_type", "category")
    autocomplete_fields = ("workspace", "owner")
    readonly_fields = (
        *("related", "parent_link", "shown_trust", "base_relevance", "last_access", "access_count", "mergeable"),
        *("merged_from", "source_session", "created_at", "updated_at"),
    )
    add_fieldsets = (
        ("Address", {"fields": ("workspace", "owner", "uri", ("node_type", "category"))}),
        ("Text", {"fields": ("l0_abstract", "l1_overview", "l2_content")}),
    )
    fieldsets = (
        (None, {"fields": ("uri", "related", ("owner", "workspace"), ("node_type", "category", "shown_trust"))}),
        ("Text", {"fields": ("l0_abstract", "l1_overview", "l2_content")}),
        ("Relevance", {"fields": (("base_relevance", "last_access", "access_count"),)}),
        (
            "Lineage",
            {
                "fields": (("mergeable", "source_session"), "merged_from", ("created_at", "updated_at")),
                "classes": ("collapse",),
            },
        ),
    )
    owner_link = link_column("owner")
    workspace_link = link_column("workspace")
    parent_link = link_column("parent")

    def label(self, row: MemNode) -> str:
        return row.uri

    @column("abstract")
    def excerpt(self, row: MemNode) -> str:
        return excerpt_of(row.l0_abstract)

    @column("trust", order="trust", tones=TRUST_TONES)
    def shown_trust(self, row: MemNode) -> str:
        return row.trust.replace("_", " ")

    @column("open")
    def related(self, row: MemNode) -> SafeString:
        links = [(list_url(MemNode, parent__id__exact=row.pk, o=1), "nodes below")]
        if row.parent_id:
            links.insert(0, (list_url(MemNode, id__exact=row.parent_id), "the node above"))
        return link_row(links)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A directory goes after what is in it."""
        allowed = super().has_delete_permission(request, obj)
        return allowed and (obj is None or not MemNode.objects.filter(parent_id=obj.pk).exists())

    def save_model(self, request: HttpRequest, obj: MemNode, form: Any, change: bool) -> None:
        if not change:
            obj.parent = _parent(obj)
        super().save_model(request, obj, form, change)


def _parent(node: MemNode) -> MemNode | None:
    """The directory above, made with all those above it where they are missing."""
    above: MemNode | None = None
    for uri in _addresses_above(node.uri):
        found, _ = MemNode.objects.get_or_create(
            workspace=node.workspace,
            owner_id=node.owner_id,
            uri=uri,
            defaults={"node_type": NodeType.DIRECTORY, "category": node.category, "parent": above},
        )
        above = found
    return above


def _addresses_above(uri: str) -> Iterable[str]:
    steps = uri.removeprefix("mem://").split("/")
    return ["mem://" + "/".join(steps[:depth]) for depth in range(1, len(steps))]
