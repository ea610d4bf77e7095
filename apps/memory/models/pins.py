"""Text that is pinned to a conversation."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from apps.common.models import WorkspaceOwned


class PinCategory(models.TextChoices):
    DECISION = "decision"
    REQUIREMENT = "requirement"
    REFERENCE = "reference"
    OTHER = "other"


class PinnedMemory(WorkspaceOwned):
    """Text included verbatim in every pack; `message` is its source, if any."""

    conversation = models.ForeignKey("conversations.Conversation", models.CASCADE, related_name="pins", db_index=False)
    message = models.ForeignKey(
        "conversations.Message", models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    content = models.TextField()
    category = models.CharField(max_length=11, choices=PinCategory, default=PinCategory.OTHER)
    token_count = models.PositiveIntegerField()
    pinned_by = models.ForeignKey("accounts.User", models.SET_NULL, null=True, related_name="+", db_index=False)
    pinned_at = models.DateTimeField(auto_now_add=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        db_table = "pinned_memory"
        verbose_name_plural = "pinned memories"
        indexes: ClassVar = [models.Index(fields=["workspace", "conversation", "id"], name="pin_of_conversation")]
