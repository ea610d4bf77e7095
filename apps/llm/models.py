"""Model settings, provider keys, the usage ledger (without content), daily spending, and rejected answers."""

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
    EMBEDDING = "embedding"


class CountSource(models.TextChoices):
    REPORTED = "reported"
    ESTIMATED = "estimated"


class ModelUsage(WorkspaceOwned):
    """Usage of one call. It outlives its conversation and reply, so it stores their ids without foreign keys."""

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
    cost_micros = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="Millionths of a dollar by the price file; empty where it knows no price."
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
    """Ratio of a provider's token counts to an estimator's: sums over calls, with decaying weight."""

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


class ModelSettings(WorkspaceOwned):
    """A workspace's choice of provider and models; empty values fall back to the installation's choice."""

    backend = models.CharField(max_length=40, blank=True, help_text="A provider's id; empty: the installation chooses.")
    by_purpose = models.JSONField(default=dict, blank=True, help_text="Names of models by purpose.")
    local_allowed = models.BooleanField(
        "local models", default=False, help_text="May use this server's own Claude CLI and Ollama. Operators decide."
    )
    version = models.PositiveIntegerField(default=0)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "model settings"
        constraints: ClassVar = [models.UniqueConstraint(fields=["workspace"], name="model_settings_once")]


class ProviderKey(WorkspaceOwned):
    """A workspace's own key for a provider: encrypted, and shown only by its last four characters."""

    backend = models.CharField(max_length=40, help_text="A provider's id.")
    encrypted_key = models.BinaryField(editable=False)
    last_four = models.CharField(max_length=4)
    base_url = models.CharField(max_length=300, blank=True, help_text="Empty: the provider's own address.")
    tested_at = models.DateTimeField(null=True, blank=True, help_text="When the provider last accepted it.")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "backend"], name="provider_key_once"),
        ]


class SpendDay(WorkspaceOwned):
    """A workspace's spending in a UTC day, including the reservations of running calls.

    The reservation of a killed call is never settled and counts in full.
    """

    day = models.DateField()
    tokens = models.BigIntegerField(default=0)
    cost_micros = models.BigIntegerField(default=0, help_text="Millionths of a dollar.")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["workspace", "day"], name="spend_day_once")]


class RejectedAnswer(WorkspaceOwned):
    """A model's answer that failed validation, stored for a while for debugging."""

    purpose = models.CharField(max_length=12, choices=CallPurpose)
    model = models.CharField(max_length=120)
    problem = models.CharField(max_length=500)
    text = models.TextField()
    conversation_id = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["workspace", "created_at"], name="rejected_answer_by_time"),
            models.Index(fields=["workspace", "conversation_id"], name="rejected_answer_of"),
        ]
