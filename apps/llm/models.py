"""The ledger of every call to a model: what it took and how it ended, never what was said."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from apps.common.models import WorkspaceOwned


class CallPurpose(models.TextChoices):
    CHAT = "chat"
    COMPACTION = "compaction"
    EXTRACTION = "extraction"
    MERGE = "merge"
    INTENT = "intent"


class CountSource(models.TextChoices):
    REPORTED = "reported"
    ESTIMATED = "estimated"


class ModelUsage(WorkspaceOwned):
    """One call. It was paid for, so it outlives conversation and reply, which are named and not referred to."""

    purpose = models.CharField(max_length=12, choices=CallPurpose)
    provider = models.CharField(max_length=40)
    model = models.CharField(max_length=120)
    input_tokens = models.PositiveIntegerField()
    output_tokens = models.PositiveIntegerField()
    cache_read_tokens = models.PositiveIntegerField(default=0)
    cache_write_tokens = models.PositiveIntegerField(default=0)
    source = models.CharField(
        max_length=9, choices=CountSource, help_text="Whether the provider told the counts or they are estimates."
    )
    latency_ms = models.PositiveIntegerField()
    first_token_ms = models.PositiveIntegerField(null=True, blank=True)
    outcome = models.CharField(max_length=20, help_text="ok, cancelled, or the code of what went wrong.")
    conversation_id = models.UUIDField(null=True, blank=True)
    message_id = models.UUIDField(null=True, blank=True, help_text="The reply that it wrote.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "model usage"
        indexes: ClassVar = [
            models.Index(fields=["workspace", "created_at"], name="model_usage_by_time"),
            models.Index(fields=["workspace", "conversation_id", "-id"], name="model_usage_of_conversation"),
            models.Index(
                fields=["workspace", "message_id"],
                name="model_usage_of_message",
                condition=models.Q(message_id__isnull=False),
            ),
        ]


class ModelCalibration(WorkspaceOwned):
    """How far an estimator is from what a model's provider counts: sums over calls, of which older ones fade."""

    model = models.CharField(max_length=120)
    estimator = models.CharField(max_length=40)
    reported_tokens = models.PositiveBigIntegerField()
    estimated_tokens = models.PositiveBigIntegerField()
    calls = models.PositiveIntegerField()
    percent = models.PositiveSmallIntegerField(help_text="Tokens of the provider for a hundred of the estimator.")
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "model", "estimator"], name="model_calibration_once"),
        ]
