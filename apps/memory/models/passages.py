"""Tables of the search index: passages of memories and messages, and their embeddings, in banks by reader."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from pgvector.django import HalfVectorField

from apps.common.models import Dependent, WorkspaceOwned


class SignBitsField(models.Field):  # type: ignore[type-arg]  # not generic at runtime
    """A bit string of any length, one bit for each dimension of a vector."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        return "bit varying"


class Passage(Dependent):
    """A memory that is not archived, a message, or an active item of user memory, as retrieval reads it.

    `bank` groups passages with the same readers: for a memory in use the owner's or workspace's id (for others see
    `NODE_BANK`), for a message the conversation's. `series` and `session` group related passages (a directory; a
    conversation and its session number), and `place` orders them: a message's index, null for others. `wanted_at` is
    the time of the pending embedding request, null once embedded; `text_hash` detects a changed text. `tool_text` is
    set for a message that holds what tools returned: its text as it is searched and quoted.
    """

    bank = models.UUIDField()
    node = models.ForeignKey(
        "memory.MemNode",
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    message = models.ForeignKey(
        "conversations.Message", models.CASCADE, null=True, blank=True, related_name="+", db_index=False
    )
    user_memory = models.ForeignKey(
        "memory.UserMemory",
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    series = models.UUIDField()
    session = models.PositiveIntegerField(default=0)
    place = models.PositiveIntegerField(null=True, blank=True)
    actor = models.CharField(max_length=120, blank=True, help_text="Who said it, or whom it is about; lower case.")
    occurred_at = models.DateTimeField()
    words = SearchVectorField()
    word_count = models.PositiveIntegerField()
    words_version = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="The version of the analysis that `words` are of."
    )
    char_count = models.PositiveIntegerField()
    is_question = models.BooleanField(default=False)
    text_hash = models.BigIntegerField(default=0)
    tool_text = models.TextField(blank=True, default="", db_default="")
    wanted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "mem_passages"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["workspace", "node"], name="passage_of_node_once", condition=models.Q(node__isnull=False)
            ),
            models.UniqueConstraint(
                fields=["workspace", "message"],
                name="passage_of_message_once",
                condition=models.Q(message__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["workspace", "user_memory"],
                name="passage_of_user_memory_once",
                condition=models.Q(user_memory__isnull=False),
            ),
            models.CheckConstraint(
                condition=models.Q(node__isnull=False, message__isnull=True, user_memory__isnull=True)
                | models.Q(node__isnull=True, message__isnull=False, user_memory__isnull=True)
                | models.Q(node__isnull=True, message__isnull=True, user_memory__isnull=False),
                name="passage_of_one_thing",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["workspace", "bank", "place"], name="passage_in_bank"),
            models.Index(fields=["workspace", "bank", "actor"], name="passage_by_actor"),
            # Counts a bank's passages and yields its newest without reading their rows.
            models.Index(
                fields=["workspace", "bank", "occurred_at", "id"],
                include=["word_count", "node", "message", "user_memory"],
                name="passage_by_time",
            ),
            models.Index(
                fields=["workspace", "wanted_at"],
                name="passage_wants_vectors",
                condition=models.Q(wanted_at__isnull=False),
            ),
            models.Index(fields=["workspace", "words_version"], name="passage_by_words_version"),
        ]


class SpaceState(models.TextChoices):
    BUILDING = "building"
    SERVING = "serving"
    RETIRED = "retired"


class EmbeddingSpace(WorkspaceOwned):
    """The embeddings of one model; only vectors of the same space are compared. Queries use the serving space.

    `filled_through` is the watermark of the job that fills the space: the id of the last passage processed. A space not
    `chosen` for the workspace follows the installation. `failures` counts consecutive failures of its model while it
    was built; an abandoned space has a `retry_at`, before which its embeddings are not deleted.
    """

    model = models.CharField(max_length=160)
    dimension = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=SpaceState, default=SpaceState.BUILDING)
    created_at = models.DateTimeField(auto_now_add=True)
    since = models.DateTimeField(help_text="Since when it is in that state.")
    chosen = models.BooleanField(default=False)
    filled_through = models.UUIDField(null=True, blank=True)
    operation = models.UUIDField(null=True, blank=True, help_text="What tells how far it is.")
    failures = models.PositiveSmallIntegerField(default=0)
    error_code = models.CharField(max_length=40, blank=True)
    error = models.CharField(max_length=500, blank=True, help_text="Of its last failure.")
    retry_at = models.DateTimeField(null=True, blank=True, help_text="When its model is asked again.")

    class Meta:
        db_table = "mem_spaces"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "model", "dimension"], name="embedding_space_once"),
            models.UniqueConstraint(
                fields=["workspace"], name="embedding_space_serving_once", condition=models.Q(state="serving")
            ),
        ]


class EmbeddingBatch(WorkspaceOwned):
    """The passages that a worker is embedding, so that several workers of a workspace embed no passage twice.

    A row belongs to the job of this `key`. `passages` is empty between two batches: passages that the job's next run
    finds here were in a batch that killed its worker or took too long, and the next one has half of them. `size` is the
    number of passages of the next batch. `fills_through` is how far the batch fills a space that is being built.
    `done` counts the passages embedded since `began_at`.
    """

    key = models.CharField(max_length=80)
    passages = ArrayField(models.UUIDField(), default=list)
    fills_through = models.UUIDField(null=True, blank=True)
    size = models.PositiveSmallIntegerField()
    expires_at = models.DateTimeField(help_text="From then on, its passages are free for others.")
    began_at = models.DateTimeField()
    done = models.PositiveIntegerField(default=0)

    class Meta:
        db_table = "mem_embedding_batches"
        constraints: ClassVar = [models.UniqueConstraint(fields=["workspace", "key"], name="embedding_batch_once")]


class SweepStep(models.TextChoices):
    NODES = "nodes"
    USER_MEMORY = "user_memory"
    CONVERSATIONS = "conversations"


class MemSweep(WorkspaceOwned):
    """How far the reconciliation of the index has come in a workspace; there is no row between two of them."""

    step = models.CharField(max_length=16, choices=SweepStep)
    after = models.UUIDField()
    after_uri = models.TextField(blank=True)

    class Meta:
        db_table = "mem_sweeps"
        constraints: ClassVar = [models.UniqueConstraint(fields=["workspace"], name="mem_sweep_once")]


class Embedding(Dependent):
    """A passage's vector in a space; `bank` is the passage's. `signs` has a bit for each dimension that is positive."""

    bank = models.UUIDField()
    space = models.ForeignKey(EmbeddingSpace, models.CASCADE, related_name="+", db_index=False)
    passage = models.ForeignKey(Passage, models.CASCADE, related_name="+", db_index=False, db_constraint=False)
    vector = HalfVectorField()
    signs = models.GeneratedField(
        expression=models.Func("vector", function="binary_quantize"), output_field=SignBitsField(), db_persist=True
    )

    class Meta:
        db_table = "mem_embeddings"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "passage", "space"], name="embedding_once"),
        ]
        indexes: ClassVar = [
            # Search compares the signs of a large bank from this index alone.
            models.Index(
                fields=["workspace", "bank", "space"], include=["passage", "signs"], name="embedding_signs_in_bank"
            )
        ]
