"""User memory: what people wrote about themselves."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from apps.common.models import WorkspaceOwned


class UserMemoryType(models.TextChoices):
    PREFERENCE = "preference"
    FACT = "fact"
    CONSTRAINT = "constraint"
    DEFINITION = "definition"


class UserMemory(WorkspaceOwned):
    """Text that a person wrote about themselves, included in all their packs while active."""

    user = models.ForeignKey("accounts.User", models.CASCADE, related_name="+", db_index=False)
    type = models.CharField(max_length=10, choices=UserMemoryType)
    key = models.CharField(max_length=120)
    content = models.TextField()
    is_active = models.BooleanField(default=True)
    token_count = models.PositiveIntegerField()
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "user_memory"
        verbose_name_plural = "user memories"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "user", "type", "key"], name="user_memory_once"),
        ]
