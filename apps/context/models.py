"""What is kept of a conversation's packs from one to the next, for each of its readers."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from apps.common.models import WorkspaceOwned


class PackEpoch(WorkspaceOwned):
    """The epoch that the packs of one reader and budget are in.

    `decided` is what it keeps, `basis` what it stands on, part by part; when a part is another one, it is over, or
    where `ended_by` says so. `pieces` are those of its last pack: digest and tokens, in their order.
    """

    conversation = models.ForeignKey("conversations.Conversation", models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey("accounts.User", models.CASCADE, related_name="+", db_index=False)
    budget = models.PositiveIntegerField(help_text="In tokens by the estimator of its workspace.")
    number = models.PositiveIntegerField(default=1)
    because = models.CharField(max_length=200, blank=True, help_text="Why it began; empty for the first.")
    basis = models.JSONField(default=dict)
    decided = models.JSONField(default=dict)
    ended_by = models.CharField(max_length=40, blank=True)
    pieces = models.JSONField(default=list)
    began_at = models.DateTimeField()
    used_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "conversation", "user", "budget"], name="pack_epoch_once"),
        ]
