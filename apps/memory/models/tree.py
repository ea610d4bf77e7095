"""Tables of the memory tree: nodes, sources, revisions, tombstones and accesses.

References to nodes have no database constraint: its check does not filter by workspace and would scan a whole table for
every deleted node. Code that deletes a node must lock it and delete the rows that refer to it.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from apps.common.models import Dependent, WorkspaceOwned
from apps.engine.memory.addresses import LONGEST_ADDRESS
from apps.engine.memory.slots import LONGEST_ATTRIBUTE, LONGEST_SUBJECT, LONGEST_VALUE
from apps.engine.memory.trust import Arrival, Trust

LONGEST_TAG = 64


def _named(words: type[StrEnum]) -> list[tuple[str, str]]:
    """Return an engine enum as a column's choices."""
    return [(word.value, word.value.replace("_", " ").capitalize()) for word in words]


class NodeType(models.TextChoices):
    DIRECTORY = "dir"
    LEAF = "leaf"


class MemNode(WorkspaceOwned):
    """One address of the memory tree, `mem://…`, in three tiers.

    Only `owner` sees the node, also in `mem://agent`; null makes it visible to the workspace. Relevance at a time
    follows from `base_relevance` and `last_access` alone, so no job has to update it. `tiers_of` is the hash of
    the content that abstract and overview were derived from, `tiers_by` their author. Memories with the same
    `same_text_hash` differ at most in letter case, white space and the like. A leaf with an `attribute` states a fact:
    its slot is subject and attribute. A leaf with `superseded_by` held until `valid_to`.
    """

    owner = models.ForeignKey("accounts.User", models.CASCADE, null=True, blank=True, related_name="+", db_index=False)
    uri = models.CharField(max_length=LONGEST_ADDRESS, db_collation="C")
    parent = models.ForeignKey(
        "self", models.CASCADE, null=True, blank=True, related_name="children", db_index=False, db_constraint=False
    )
    node_type = models.CharField(max_length=4, choices=NodeType)
    # No choices: the engine defines the categories, and `derive` sets this from the address.
    category = models.CharField(max_length=40, blank=True, help_text="Empty for roots that hold several.")
    l0_abstract = models.TextField(blank=True)
    l1_overview = models.TextField(blank=True)
    l2_content = models.TextField(blank=True)
    content_hash = models.CharField(max_length=64, blank=True, editable=False)
    same_text_hash = models.CharField(max_length=32, blank=True, default="", db_default="", editable=False)
    tiers_of = models.CharField(max_length=64, blank=True, editable=False)
    tiers_by = models.CharField(max_length=120, blank=True, editable=False)
    tries_left = models.PositiveSmallIntegerField(
        default=0, editable=False, help_text="How often a model may still be asked for the short tiers."
    )
    tags = ArrayField(models.CharField(max_length=LONGEST_TAG), default=list, blank=True)
    mergeable = models.BooleanField(default=False)
    merged_from = models.JSONField(default=list, blank=True)
    merged_into = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
        editable=False,
    )
    base_relevance = models.FloatField(default=1.0)
    last_access = models.DateTimeField(null=True, blank=True)
    access_count = models.PositiveIntegerField(default=0)
    trust = models.CharField(max_length=15, choices=_named(Trust), default=Trust.DIRECT_USER.value)
    arrival = models.CharField(max_length=8, choices=_named(Arrival), default=Arrival.ACCEPTED.value)
    author = models.ForeignKey(
        "accounts.User", models.SET_NULL, null=True, blank=True, related_name="+", db_index=False, db_constraint=False
    )
    occurred_at = models.DateTimeField(help_text="The date of the fact, from which it fades.")
    subject = models.CharField(
        max_length=LONGEST_SUBJECT, blank=True, default="", db_default="", help_text="Whom or what the fact is about."
    )
    attribute = models.CharField(
        max_length=LONGEST_ATTRIBUTE, blank=True, default="", db_default="", help_text="Empty without a slot."
    )
    value = models.CharField(max_length=LONGEST_VALUE, blank=True, default="", db_default="")
    many = models.BooleanField(
        default=False, db_default=False, help_text="Whether the attribute can have several values at once."
    )
    valid_from = models.DateTimeField(null=True, blank=True, help_text="The date of the words that state it.")
    valid_to = models.DateTimeField(null=True, blank=True, help_text="Empty while it holds.")
    superseded_by = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
        editable=False,
    )
    archived_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)
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
            # An attribute that has one value has one current memory.
            models.UniqueConstraint(
                fields=["workspace", "owner", "subject", "attribute"],
                name="mem_node_current_fact_once",
                condition=~models.Q(attribute="")
                & models.Q(many=False, arrival="accepted", valid_to__isnull=True, archived_at__isnull=True),
                nulls_distinct=False,
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["workspace", "parent", "uri"], name="mem_node_children"),
            models.Index(
                fields=["workspace", "id"],
                name="mem_node_tiers_to_make",
                condition=~models.Q(tiers_of=models.F("content_hash")),
            ),
            models.Index(
                fields=["workspace", "owner", "subject", "attribute"],
                name="mem_node_of_slot",
                condition=~models.Q(attribute=""),
            ),
            models.Index(
                fields=["workspace", "superseded_by"],
                name="mem_node_superseded",
                condition=models.Q(superseded_by__isnull=False),
            ),
            models.Index(
                fields=["workspace", "owner", "same_text_hash"],
                name="mem_node_same_text",
                condition=~models.Q(same_text_hash=""),
            ),
            models.Index(
                fields=["workspace", "owner", "id"],
                name="mem_node_proposed",
                condition=models.Q(arrival="proposed", archived_at__isnull=True),
            ),
        ]

    @property
    def stated_at(self) -> datetime:
        """When its words were written, which is not when what they tell happened."""
        return self.valid_from or self.occurred_at


class Proposal(MemNode):
    """A memory that waits for approval, as the console's inbox lists it."""

    class Meta:
        proxy = True
        verbose_name = "proposal"


class SourceKind(models.TextChoices):
    MESSAGE = "message"
    HOOK = "hook"
    IMPORT = "import"
    NODE = "node"
    PERSON = "person"


class MemSource(Dependent):
    """The source of a node: the id of a message, a hook event, another node or a person, or an import."""

    node = models.ForeignKey(MemNode, models.CASCADE, related_name="sources", db_index=False, db_constraint=False)
    kind = models.CharField(max_length=7, choices=SourceKind)
    reference = models.CharField(max_length=200)

    class Meta:
        db_table = "mem_sources"
        verbose_name = "memory source"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "node", "kind", "reference"], name="mem_source_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["workspace", "kind", "reference"], name="mem_source_of")]


class Operation(models.TextChoices):
    CREATE = "create"
    EDIT = "edit"
    MOVE = "move"
    MERGE = "merge"
    ARCHIVE = "archive"
    RESTORE = "restore"
    SHARE = "share"
    APPROVE = "approve"
    SUPERSEDE = "supersede"
    IMPORT = "import"
    UNDO = "undo"


class Decision(models.TextChoices):
    """What a person decided about two memories that may contradict each other."""

    OPEN = "open"
    REPLACED = "replaced"
    BOTH = "both"
    DECLINED = "declined"


class MemConflict(Dependent):
    """A later memory that may replace an earlier one: a proposal, or words that are not certainly about the same slot.

    Nothing is superseded until a person decides; `decided_in` is the change that did.
    """

    earlier = models.ForeignKey(MemNode, models.CASCADE, related_name="+", db_index=False, db_constraint=False)
    later = models.ForeignKey(MemNode, models.CASCADE, related_name="+", db_index=False, db_constraint=False)
    reason = models.CharField(max_length=40, help_text="Why the later one may replace the earlier one.")
    decision = models.CharField(max_length=8, choices=Decision, default=Decision.OPEN)
    decided_in = models.UUIDField(null=True, blank=True)
    decided_by = models.ForeignKey(
        "accounts.User", models.SET_NULL, null=True, blank=True, related_name="+", db_index=False, db_constraint=False
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "mem_conflicts"
        verbose_name = "memory conflict"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "later", "earlier"], name="mem_conflict_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["workspace", "earlier"], name="mem_conflict_of_earlier"),
            models.Index(fields=["workspace", "id"], name="mem_conflict_open", condition=models.Q(decision="open")),
        ]


class MemRevision(Dependent):
    """A write of one node: the fields that differ, before and after it.

    The revisions of one operation share `change`; `undoes` is the change that this one undid. `made_by` names the
    model or program where no person wrote.
    """

    node = models.ForeignKey(MemNode, models.CASCADE, related_name="revisions", db_index=False, db_constraint=False)
    number = models.PositiveIntegerField(help_text="The node's version that it made.")
    change = models.UUIDField()
    operation = models.CharField(max_length=9, choices=Operation)
    undoes = models.UUIDField(null=True, blank=True)
    actor = models.ForeignKey(
        "accounts.User", models.SET_NULL, null=True, blank=True, related_name="+", db_index=False, db_constraint=False
    )
    made_by = models.CharField(max_length=120, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        db_table = "mem_revisions"
        verbose_name = "memory revision"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "node", "number"], name="mem_revision_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["workspace", "change"], name="mem_revision_change"),
            models.Index(
                fields=["workspace", "undoes"],
                name="mem_revision_undoes",
                condition=models.Q(undoes__isnull=False),
            ),
        ]


class MemTombstone(WorkspaceOwned):
    """A permanently deleted address or content, stored as digests, that no import or extraction may recreate."""

    owner = models.ForeignKey("accounts.User", models.CASCADE, null=True, blank=True, related_name="+", db_index=False)
    address_digest = models.CharField(max_length=64)
    content_digest = models.CharField(max_length=64, blank=True, help_text="Empty for a directory.")
    erased_by = models.ForeignKey("accounts.User", models.SET_NULL, null=True, related_name="+", db_index=False)
    erased_at = models.DateTimeField()

    class Meta:
        db_table = "mem_tombstones"
        verbose_name = "memory tombstone"
        indexes: ClassVar = [
            models.Index(fields=["workspace", "owner", "address_digest"], name="mem_tombstone_address"),
            models.Index(fields=["workspace", "owner", "content_digest"], name="mem_tombstone_content"),
        ]


class MemAccess(WorkspaceOwned):
    """An access of a memory that a job has not applied yet."""

    node = models.ForeignKey(MemNode, models.CASCADE, related_name="+", db_index=False, db_constraint=False)
    accessed_at = models.DateTimeField()

    class Meta:
        db_table = "mem_accesses"
        verbose_name = "memory access"
        verbose_name_plural = "memory accesses"
        indexes: ClassVar = [models.Index(fields=["workspace", "node"], name="mem_access_of_node")]
