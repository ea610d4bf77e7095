"""Admin pages of coding agents' sessions, and of what their tools did in them."""

from __future__ import annotations

from django.contrib import admin
from django.utils.safestring import SafeString

from apps.agents.models import AgentSession, Observation
from apps.common.admin_base import (
    BY_WORKSPACE,
    ReadOnlyAdmin,
    choices,
    column,
    label_of,
    link_column,
    link_row,
    list_url,
    name_column,
    plain_text,
)


@admin.register(AgentSession)
class AgentSessionAdmin(ReadOnlyAdmin):
    list_display = (
        *("conversation_name", "client", "project", "prompt_count", "tool_count", "end_reason"),
        *("workspace_link", "last_event_at"),
    )
    list_filter = (choices("client"), "end_reason", BY_WORKSPACE)
    list_select_related = ("conversation", "user", "workspace")
    id_search = ("id", "conversation_id", "user_id", "client_session_id")
    search_fields = ("conversation__title", "project", "user__email")
    search_help_text = "Search by id, title, project or email"
    fieldsets = (
        (None, {"fields": (("conversation_link", "user_link", "workspace_link"),)}),
        ("Agent", {"fields": (("client", "model"), ("client_session_id",), ("project", "cwd"))}),
        ("Course", {"fields": (("started_at", "last_event_at", "received_at"), ("ended_at", "end_reason"))}),
        ("Counts", {"fields": (("prompt_count", "tool_count"), "related")}),
    )
    conversation_name = name_column("conversation")
    conversation_link = link_column("conversation")
    user_link = link_column("user")
    workspace_link = link_column("workspace")

    def label(self, row: AgentSession) -> str:
        return f"{row.get_client_display()} in {label_of(row.conversation)}"

    @column("open")
    def related(self, row: AgentSession) -> SafeString:
        return link_row([(list_url(Observation, session__id__exact=row.id), "observations")])


@admin.register(Observation)
class ObservationAdmin(ReadOnlyAdmin):
    list_display = ("title", "kind", "tool_name", "is_error", "session_name", "workspace_link", "occurred_at")
    list_filter = (choices("kind"), "is_error", BY_WORKSPACE)
    list_select_related = ("session__conversation", "message", "workspace")
    id_search = ("id", "session_id", "message_id", "event_key")
    search_fields = ("title", "tool_name")
    search_help_text = "Search by id, title or tool"
    fieldsets = (
        (None, {"fields": (("session_link", "message_link", "workspace_link"),)}),
        ("Observation", {"fields": (("title", "kind"), ("tool_name", "is_error"), ("agent_id", "occurred_at"))}),
        ("Contents", {"fields": ("shown_digest", "files", "details")}),
    )
    session_name = name_column("session")
    session_link = link_column("session")
    message_link = link_column("message")
    workspace_link = link_column("workspace")

    def label(self, row: Observation) -> str:
        return row.title

    @column("digest")
    def shown_digest(self, row: Observation) -> SafeString | None:
        return plain_text(row.digest)
