"""Tables of rolling summaries, their versions and compaction runs, and of segment summaries."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from apps.common.models import WorkspaceOwned


class ConversationContext(WorkspaceOwned):
    """The state of a conversation's context; `version` rises with every change of the summary.

    `total_token_count` counts all messages except excluded ones, `compressed_token_count` what pins, summary and
    live messages take; both as of `refreshed_at`.
    """

    conversation = models.ForeignKey("conversations.Conversation", models.CASCADE, related_name="+", db_index=False)
    version = models.PositiveIntegerField(default=0)
    rolling_summary = models.JSONField(default=dict)
    summary_tokens = models.PositiveIntegerField(default=0)
    total_token_count = models.BigIntegerField(default=0)
    compressed_token_count = models.BigIntegerField(default=0)
    last_compaction_at = models.DateTimeField(null=True, blank=True)
    compaction_count = models.PositiveIntegerField(default=0)
    paused_below = models.PositiveIntegerField(
        null=True, blank=True, help_text="After an undo: auto-compaction waits until so many tokens are live."
    )

    class Meta:
        db_table = "conversation_context"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "conversation"], name="conversation_context_once"),
        ]


class VersionCause(models.TextChoices):
    COMPACTION = "compaction"
    EXCLUSION = "exclusion"
    UNDO = "undo"
    FORK = "fork"
    CORRECTION = "correction"
    DELETION = "deletion"


class SummaryVersion(WorkspaceOwned):
    """A stored version of the summary, so that any moment can be rebuilt.

    Versions are never overwritten, with one exception: permanent deletion of a message removes its lines from all.
    """

    conversation = models.ForeignKey(
        "conversations.Conversation", models.CASCADE, related_name="summary_versions", db_index=False
    )
    version = models.PositiveIntegerField()
    cause = models.CharField(max_length=10, choices=VersionCause)
    rolling_summary = models.JSONField()
    summary_tokens = models.PositiveIntegerField()
    covers_through = models.PositiveIntegerField(null=True, blank=True, help_text="The last index folded so far.")
    removed = models.JSONField(default=list, db_default=[], help_text="Lines that left with this version, and why.")
    undone = models.BooleanField(default=False)
    exported_as = models.PositiveIntegerField(
        null=True, blank=True, help_text="Its number in the export from which it was restored."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "conversation", "version"], name="summary_version_once"),
        ]


class Trigger(models.TextChoices):
    AUTO = "auto"
    MANUAL = "manual"


class RunState(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    UNDONE = "undone"
    STOPPED = "stopped"


class CompactionLevel(models.TextChoices):
    LIGHT = "light"
    DEEP = "deep"
    AGGRESSIVE = "aggressive"


# A run that waits, runs, or is to be tried again.
UNFINISHED = models.Q(state__in=[RunState.QUEUED, RunState.RUNNING]) | models.Q(
    state=RunState.FAILED, retry_at__isnull=False
)


class CompactionRun(WorkspaceOwned):
    """One compaction run: its request, the messages it compacted, its cost and its outcome."""

    conversation = models.ForeignKey(
        "conversations.Conversation", models.CASCADE, related_name="compaction_runs", db_index=False
    )
    operation = models.ForeignKey(
        "jobs.Operation", models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    trigger = models.CharField(max_length=6, choices=Trigger)
    level = models.CharField(max_length=10, choices=CompactionLevel, blank=True)
    state = models.CharField(max_length=9, choices=RunState)
    stage = models.CharField(max_length=10, blank=True, db_default="", help_text="How far a running one is.")
    base_version = models.PositiveIntegerField(null=True, blank=True)
    version = models.PositiveIntegerField(null=True, blank=True, help_text="The summary version it stored.")
    at_index = models.PositiveIntegerField(null=True, blank=True, help_text="The newest index when it began.")
    compacted_from = models.PositiveIntegerField(null=True, blank=True)
    compacted_through = models.PositiveIntegerField(null=True, blank=True)
    compacted_count = models.PositiveIntegerField(default=0)
    tokens_before = models.BigIntegerField(null=True, blank=True)
    tokens_after = models.BigIntegerField(null=True, blank=True)
    preservation_ratio = models.FloatField(null=True, blank=True)
    model = models.CharField(max_length=120, blank=True)
    cost = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    fallback_reason = models.CharField(
        max_length=20, blank=True, db_default="", help_text="Why the engine wrote it though a model is configured."
    )
    error_code = models.CharField(max_length=40, blank=True)
    error = models.CharField(max_length=500, blank=True, help_text="Of its last failure, even if it succeeded later.")
    retry_at = models.DateTimeField(null=True, blank=True, help_text="When a failed run is tried again.")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["workspace", "conversation", "-id"], name="compaction_run_newest")]


class SegmentSummary(WorkspaceOwned):
    """A closed segment of a conversation, from `first_index` to `last_index`, and its summary.

    Without a `source_hash` the text has not been written. A model may be called for a better one `tries_left` times.
    """

    conversation = models.ForeignKey("conversations.Conversation", models.CASCADE, related_name="+", db_index=False)
    level = models.PositiveSmallIntegerField()
    ordinal = models.PositiveIntegerField()
    first_index = models.PositiveIntegerField()
    last_index = models.PositiveIntegerField()
    tokens_through = models.BigIntegerField(help_text="Of the conversation up to its last message, as it was closed.")
    text = models.TextField(blank=True)
    source_hash = models.CharField(max_length=32, blank=True, help_text="Names what the text was made of.")
    prompt_version = models.CharField(max_length=20, blank=True)
    model = models.CharField(max_length=120, blank=True, help_text="Who made the text.")
    tries_left = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "segment summaries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "conversation", "level", "ordinal"], name="segment_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["workspace", "conversation", "level", "-first_index"], name="segment_newest"),
            models.Index(
                fields=["workspace", "conversation", "-first_index", "level"],
                name="segment_to_tell",
                condition=models.Q(source_hash=""),
            ),
            models.Index(
                fields=["workspace", "conversation", "-first_index", "level"],
                name="segment_to_better",
                condition=models.Q(tries_left__gt=0),
            ),
        ]
