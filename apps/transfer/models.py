"""Imports, and what became of each of their items."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from apps.common.models import Dependent, WorkspaceOwned


class ImportRun(WorkspaceOwned):
    """One import from another store, by the id that the client gave it. Its batches arrive one by one."""

    user = models.ForeignKey("accounts.User", models.CASCADE, related_name="+", db_index=False)
    import_id = models.UUIDField()
    source = models.CharField(max_length=16)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "hooks_importrun"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "user", "import_id"], name="import_run_once"),
        ]


class ImportStatus(models.TextChoices):
    CREATED = "created"
    EXISTING = "existing"
    SKIPPED = "skipped"
    REFUSED = "refused"


class ImportedItem(Dependent):
    """An item of another store, and what it became here; another import of it creates nothing.

    It contains ids and a digest, never content. `run` is the import that created something from it, `last_run` the one
    that read it last, with that one's status and reason. What it became may be deleted since.
    """

    user = models.ForeignKey("accounts.User", models.CASCADE, related_name="+", db_index=False)
    source = models.CharField(max_length=16)
    key = models.CharField(max_length=200)
    kind = models.CharField(max_length=32)
    digest = models.CharField(max_length=64, help_text="Of the item's fields.")
    status = models.CharField(max_length=8, choices=ImportStatus)
    reason = models.CharField(max_length=60, blank=True)
    run = models.UUIDField(null=True, blank=True)
    last_run = models.UUIDField()
    node = models.UUIDField(null=True, blank=True)
    conversation = models.UUIDField(null=True, blank=True)
    session = models.UUIDField(null=True, blank=True)
    message_count = models.PositiveIntegerField(default=0)
    problems = models.JSONField(default=list, blank=True, help_text="Damaged lines and messages: number, code, detail.")

    class Meta:
        db_table = "hooks_importeditem"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "user", "source", "key"], name="imported_item_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["workspace", "user", "run"], name="imported_item_of_run"),
            models.Index(fields=["workspace", "user", "last_run"], name="imported_item_of_last_run"),
        ]
