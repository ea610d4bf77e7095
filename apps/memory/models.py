"""What outlives a message: pins kept word for word, what people wrote of themselves, and the memory tree."""

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
    """Text that stands in every pack byte for byte; `message` is where it came from, if it came from one."""

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


class UserMemoryType(models.TextChoices):
    PREFERENCE = "preference"
    FACT = "fact"
    CONSTRAINT = "constraint"
    DEFINITION = "definition"


class UserMemory(WorkspaceOwned):
    """What a person wrote about themselves: it is in every pack of theirs while it is active."""

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


class NodeType(models.TextChoices):
    DIRECTORY = "dir"
    LEAF = "leaf"


class NodeCategory(models.TextChoices):
    PROFILE = "profile"
    PREFERENCES = "preferences"
    ENTITIES = "entities"
    EVENTS = "events"
    PATTERNS = "patterns"
    CASES = "cases"
    SESSION = "session"


class Trust(models.TextChoices):
    DIRECT_USER = "direct_user"
    MODEL_INFERENCE = "model_inference"
    TOOL = "tool"
    IMPORTED = "imported"


class MemNode(WorkspaceOwned):
    """One address of the memory tree, `mem://…`, in three tiers; `owner` is empty where the workspace owns it.

    Relevance at a time follows from `base_relevance` and `last_access` alone, so no job has to keep it current.
    """

    owner = models.ForeignKey("accounts.User", models.CASCADE, null=True, blank=True, related_name="+", db_index=False)
    uri = models.CharField(max_length=500, db_collation="C")
    parent = models.ForeignKey("self", models.CASCADE, null=True, blank=True, related_name="children", db_index=False)
    node_type = models.CharField(max_length=4, choices=NodeType)
    category = models.CharField(max_length=11, choices=NodeCategory)
    l0_abstract = models.TextField(blank=True)
    l1_overview = models.TextField(blank=True)
    l2_content = models.TextField(blank=True)
    mergeable = models.BooleanField(default=False)
    merged_from = models.JSONField(default=list, blank=True)
    base_relevance = models.FloatField(default=1.0)
    last_access = models.DateTimeField(null=True, blank=True)
    access_count = models.PositiveIntegerField(default=0)
    trust = models.CharField(max_length=15, choices=Trust, default=Trust.DIRECT_USER)
    source_session = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "mem_nodes"
        verbose_name = "memory node"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["workspace", "owner", "uri"], name="mem_node_address_once", nulls_distinct=False
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["workspace", "parent"], name="mem_node_children"),
            models.Index(fields=["workspace", "category"], name="mem_node_category"),
        ]
