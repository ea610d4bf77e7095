"""Sessions of coding agents, and what their tools did in them."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from apps.common.models import Dependent, WorkspaceOwned


class AgentClientKind(models.TextChoices):
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GEMINI_CLI = "gemini-cli"
    CURSOR = "cursor"
    VSCODE = "vscode"
    OPENCODE = "opencode"
    IMPORT = "import"


class AgentSession(WorkspaceOwned):
    """A session of a coding agent. Its messages are those of `conversation`.

    `client_session_id` is the agent's own id. `end_reason` is the one that the agent reported, or `inactive` if the end
    was inferred because no event arrived for a while; a later event clears both.
    """

    user = models.ForeignKey("accounts.User", models.CASCADE, related_name="+", db_index=False)
    conversation = models.ForeignKey("conversations.Conversation", models.CASCADE, related_name="+", db_index=False)
    client = models.CharField(max_length=12, choices=AgentClientKind)
    client_session_id = models.CharField(max_length=200)
    project = models.CharField(max_length=200, blank=True, help_text="Name of the directory that it works in.")
    cwd = models.CharField(max_length=1000, blank=True)
    model = models.CharField(max_length=120, blank=True)
    started_at = models.DateTimeField()
    last_event_at = models.DateTimeField(help_text="When the newest event happened, by the agent's clock.")
    received_at = models.DateTimeField(help_text="When the newest event arrived here.")
    ended_at = models.DateTimeField(null=True, blank=True)
    end_reason = models.CharField(max_length=60, blank=True)
    prompt_count = models.PositiveIntegerField(default=0)
    tool_count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["workspace", "user", "client", "client_session_id"], name="agent_session_once"
            ),
            models.UniqueConstraint(fields=["workspace", "conversation"], name="agent_session_conversation_once"),
        ]


class ObservationKind(models.TextChoices):
    TOOL = "tool"
    TOOL_FAILURE = "tool_failure"
    SUBAGENT = "subagent"
    COMPACTION = "compaction"
    NOTIFICATION = "notification"
    PERMISSION = "permission"
    TASK = "task"
    FAILURE = "failure"
    SETTING = "setting"
    IMPORTED = "imported"
    SUMMARY = "summary"


class Observation(Dependent):
    """Something that happened in a session and is no message: a tool's run, a subagent, the agent's own compaction.

    `event_key` is made of the agent's own ids, so that a repeated event is stored once. `digest` is an excerpt of input
    and result; `message` has the result itself. `details` are those of its kind.
    """

    session = models.ForeignKey(AgentSession, models.CASCADE, related_name="observations", db_index=False)
    kind = models.CharField(max_length=12, choices=ObservationKind)
    event_key = models.CharField(max_length=200)
    tool_name = models.CharField(max_length=200, blank=True)
    title = models.CharField(max_length=200, help_text="One line, such as `Edit apps/x.py`.")
    digest = models.TextField(blank=True)
    files = models.JSONField(default=list, blank=True)
    is_error = models.BooleanField(default=False)
    agent_id = models.CharField(max_length=200, blank=True, help_text="Of the subagent that it happened in.")
    message = models.ForeignKey(
        "conversations.Message", models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    details = models.JSONField(default=dict, blank=True)
    occurred_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "session", "event_key"], name="observation_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["workspace", "session", "occurred_at", "id"], name="observation_in_order"),
            models.Index(
                fields=["workspace", "message"],
                name="observation_of_message",
                condition=models.Q(message__isnull=False),
            ),
        ]
