"""Positions up to which conversations were read for memories, and the candidates found in them."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from apps.common.models import Dependent, WorkspaceOwned


class ReadPosition(WorkspaceOwned):
    """Messages before `next_index` were read by this version of the extractor; another version reads them again.

    `skipped` are the indexes of those that were not, such as excluded ones, to be read once they are included again.
    `off_spans` are pairs of indexes: messages from the first up to the second were stored while nothing was learned,
    and are never read. Without its second, the last pair is open: nothing is learned now. `run` is the last run: its
    id, whether a person requested it, the messages read so far, and in the end its result.
    """

    conversation = models.ForeignKey("conversations.Conversation", models.CASCADE, related_name="+", db_index=False)
    extractor = models.CharField(max_length=40)
    next_index = models.PositiveIntegerField(default=0)
    skipped = ArrayField(models.PositiveIntegerField(), default=list, blank=True, help_text="Excluded when passed.")
    off_spans = ArrayField(
        models.PositiveIntegerField(), default=list, db_default=[], blank=True, help_text="Stored while switched off."
    )
    run = models.JSONField(default=dict, db_default={}, blank=True, help_text="The last run and its counts.")
    ran_at = models.DateTimeField(null=True, blank=True, help_text="When the last run ended.")
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "extraction_positions"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "conversation"], name="read_position_once"),
        ]


class Outcome(models.TextChoices):
    """What became of a candidate.

    `replaced`: a memory that supersedes an older one. `outdated`: a later value was known, so it was stored as history.
    `merged`: its content was added to a memory. `known`: there was such a memory, which got one more source.
    `forgotten`: a memory that the message asks to forget, and which was archived. `to_forget`: one of several that it
    may mean.
    """

    CREATED = "created"
    PROPOSED = "proposed"
    REPLACED = "replaced"
    OUTDATED = "outdated"
    MERGED = "merged"
    KNOWN = "known"
    DELETED = "deleted"
    REFUSED = "refused"
    FORGOTTEN = "forgotten"
    TO_FORGET = "to_forget"


class ExtractionCandidate(Dependent):
    """Words of a message, from character `start` up to `end`, that became a memory or were refused for a reason.

    The words themselves are read from the message, so that none remain when it is deleted. `run` is the operation that
    found them.
    """

    run = models.UUIDField()
    conversation = models.ForeignKey("conversations.Conversation", models.CASCADE, related_name="+", db_index=False)
    message = models.ForeignKey("conversations.Message", models.CASCADE, related_name="+", db_index=False)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    category = models.CharField(max_length=40, blank=True, help_text="Empty if it was refused.")
    rule = models.CharField(max_length=40, blank=True)
    extractor = models.CharField(max_length=120, blank=True, help_text="The rules or the model that found it.")
    statement = models.TextField(blank=True, help_text="A model's own words; empty if they are the quote.")
    source = models.CharField(max_length=15, blank=True, help_text="Who said it.")
    confidence = models.FloatField(null=True, blank=True, help_text="From 0 to 1.")
    change = models.UUIDField(null=True, blank=True, help_text="The change of memories that it caused.")
    outcome = models.CharField(max_length=9, choices=Outcome)
    reason = models.CharField(max_length=40, blank=True, help_text="Why it was refused.")
    node = models.ForeignKey(
        "memory.MemNode",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "extraction_candidates"
        indexes: ClassVar = [
            models.Index(fields=["workspace", "conversation", "id"], name="candidate_of_conversation"),
            models.Index(fields=["workspace", "run"], name="candidate_of_run"),
            models.Index(fields=["workspace", "message"], name="candidate_of_message"),
            models.Index(
                fields=["workspace", "node"], name="candidate_of_node", condition=models.Q(node__isnull=False)
            ),
        ]


class RelationalEvidence(WorkspaceOwned):
    """Words of a message, from `start` up to `end`, that show how its author likes to work with an assistant.

    The relational profile is compiled from these rows. `fingerprint` is of the message and what it answers, `session`
    of the conversation's beginning: a copy of a conversation adds no evidence. A row remains when its conversation is
    deleted, like the memories made from it.
    """

    owner = models.ForeignKey("accounts.User", models.CASCADE, related_name="+", db_index=False)
    trait = models.CharField(max_length=40)
    value = models.CharField(max_length=80)
    fingerprint = models.CharField(max_length=64)
    session = models.CharField(max_length=64)
    message_id = models.UUIDField()
    index = models.PositiveIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    occurred_at = models.DateTimeField()

    class Meta:
        db_table = "extraction_relational_evidence"
        verbose_name_plural = "relational evidence"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["workspace", "owner", "trait", "value", "fingerprint"], name="relational_evidence_once"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["workspace", "message_id"], name="relational_evidence_of_message")]
