"""Cache epochs of a conversation, one per reader and budget, and what was retrieved for each of its replies."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from apps.common.models import WorkspaceOwned


class PackEpoch(WorkspaceOwned):
    """The current cache epoch of one reader and budget.

    `decided` is the stored epoch, `fingerprint` the fingerprint of its inputs by part. The epoch ends when a part
    changes or `ended_by` is set. `pieces` are the digest and tokens of each piece of its last pack, in order.
    """

    conversation = models.ForeignKey("conversations.Conversation", models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey("accounts.User", models.CASCADE, related_name="+", db_index=False)
    budget = models.PositiveIntegerField(help_text="In tokens by the estimator of its workspace.")
    number = models.PositiveIntegerField(default=1)
    reasons = models.JSONField(default=list, help_text="Codes of why it started; empty for the first.")
    fingerprint = models.JSONField(default=dict)
    decided = models.JSONField(default=dict)
    ended_by = models.CharField(max_length=40, blank=True)
    pieces = models.JSONField(default=list)
    began_at = models.DateTimeField()
    used_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "conversation", "user", "budget"], name="pack_epoch_once"),
        ]


class UsedItems(WorkspaceOwned):
    """The memories and messages that were retrieved for a reply and sent with its pack, best first.

    It has ids and numbers, and no words: texts and addresses are read where they are stored, so that none outlives its
    deletion. `user` is the reader of the pack, whose memories they are.
    """

    conversation = models.ForeignKey("conversations.Conversation", models.CASCADE, related_name="+", db_index=False)
    reply_id = models.UUIDField()
    user = models.ForeignKey("accounts.User", models.CASCADE, related_name="+", db_index=False)
    items = models.JSONField(default=list)

    class Meta:
        verbose_name_plural = "used items"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "conversation", "reply_id"], name="used_items_once"),
        ]
