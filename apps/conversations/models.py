"""Conversations and their messages, with counters that let a pack be built without reading old messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Cast, Now
from django.utils import timezone

from apps.common.models import WorkspaceOwned
from apps.conversations.limits import LONGEST_NAME

if TYPE_CHECKING:
    _WholeNumber = models.BigIntegerField[int, int]  # generic only for the type checker
else:
    _WholeNumber = models.BigIntegerField


class Advancing(_WholeNumber):
    """A number that only dedicated statements change: saving a stale instance must not overwrite it."""

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        return super().pre_save(model_instance, add) if add else models.F(self.attname)


class Conversation(WorkspaceOwned):
    """A conversation. Its counters are updated in the transaction that changes a message.

    `token_total` counts every message ever stored, `excluded_tokens` the excluded ones; `live_*` those that are neither
    compacted nor excluded, a long message at most with the policy's limit.
    """

    owner = models.ForeignKey("accounts.User", models.CASCADE, related_name="+", db_index=False)
    title = models.CharField(max_length=200, blank=True)
    system_prompt = models.TextField(blank=True)
    external_id = models.CharField(max_length=200, null=True, blank=True, help_text="Its name where it came from.")
    copied_from = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="+", db_index=False)
    copied_through = models.PositiveIntegerField(null=True, blank=True, help_text="The last index that was copied.")
    token_budget = models.PositiveIntegerField(
        null=True, blank=True, help_text="Of its packs, unless one is asked for."
    )

    remembers = models.BooleanField(
        default=True, db_default=True, help_text="Whether memories are made from its messages."
    )
    temporary = models.BooleanField(
        default=False, db_default=False, help_text="It makes no memories, ever, and no other chat finds it."
    )

    private_memory_when_shared = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Whether its owner's turns use private memories and other chats although others read it.",
    )
    others_could_write = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text="Somebody else could write in it once, or in what it was copied from.",
    )

    confirmed = models.BooleanField(
        default=True,
        db_default=True,
        editable=False,
        help_text="Whether a person says that what was imported into it is their own.",
    )

    own_names = ArrayField(
        models.CharField(max_length=LONGEST_NAME),
        default=list,
        db_default=[],
        blank=True,
        editable=False,
        help_text="Names under which the owner writes, besides the account's.",
    )

    message_count = models.PositiveIntegerField(default=0)
    token_total = models.BigIntegerField(default=0)
    excluded_tokens = models.BigIntegerField(default=0)
    extra_tokens = models.BigIntegerField(
        default=0, db_default=0, editable=False, help_text="The sum over the messages that are not excluded."
    )
    live_count = models.PositiveIntegerField(default=0)
    live_tokens = models.BigIntegerField(default=0)

    state_version = Advancing(default=0, db_default=0, editable=False, help_text="Of what those see who look at it.")
    turn_token = models.UUIDField(null=True, blank=True, editable=False)
    turn_until = models.DateTimeField(null=True, blank=True, help_text="How long the running turn holds it.")
    turn_reply = models.UUIDField(null=True, blank=True, help_text="The reply that is being written.")
    turn_stop = models.BooleanField(
        default=False, db_default=False, help_text="Somebody asked the running turn to stop."
    )

    version = models.PositiveIntegerField(
        default=1, help_text="Of what people edit: title, prompt, budget, archive, memory."
    )
    archived_at = models.DateTimeField(null=True, blank=True)
    active_at = models.DateTimeField(
        default=timezone.now, db_default=Now(), editable=False, help_text="When something was last said in it."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    @property
    def included_tokens(self) -> int:
        """Tokens of the messages that are not excluded, by the default estimate."""
        return self.token_total - self.excluded_tokens + self.extra_tokens

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "owner", "external_id"], name="conversation_external_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["workspace", "owner", "-active_at", "-id"], name="conversation_lately_active"),
            models.Index(
                fields=["workspace", "copied_from"],
                name="conversation_forks",
                condition=models.Q(copied_from__isnull=False),
            ),
        ]


class ConversationTombstone(WorkspaceOwned):
    """A deleted conversation that came from elsewhere, by a digest of its name there: no import brings it back."""

    owner = models.ForeignKey("accounts.User", models.CASCADE, related_name="+", db_index=False)
    external_digest = models.CharField(max_length=64)
    deleted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["workspace", "owner", "external_digest"], name="conversation_tombstone_once"
            ),
        ]


class ShareAccess(models.TextChoices):
    READ = "read"
    WRITE = "write"


class ConversationShare(WorkspaceOwned):
    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="shares", db_index=False)
    user = models.ForeignKey("accounts.User", models.CASCADE, related_name="+", db_index=False)
    access = models.CharField(max_length=5, choices=ShareAccess, default=ShareAccess.WRITE)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "conversation", "user"], name="conversation_share_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["workspace", "user"], name="conversation_share_user")]

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Mark the conversation for good where the person may write: ending the share takes back no message."""
        super().save(*args, **kwargs)
        if self.access == ShareAccess.WRITE:
            Conversation.objects.filter(pk=self.conversation_id).update(others_could_write=True)


class MessageRole(models.TextChoices):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class MessageStatus(models.TextChoices):
    STREAMING = "streaming"
    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"


# The index, cast to a type that only these indexes contain, so that no other index can serve an order by it. Casts are
# leakproof, so a scan under row-level security can start anywhere; a calculation would have to read every row.
LIVE_PLACE = Cast("index", models.BigIntegerField())
INCLUDED_PLACE = Cast("index", models.FloatField())
_OF_CONVERSATION = (models.F("workspace"), models.F("conversation"))


class Message(WorkspaceOwned):
    """A message. `compacted_in` is the version of the summary that covers it; empty while it is not compacted.

    `token_count` and `tokens_through` count characters/4; budgets and thresholds count `extra_tokens` in addition.
    `live_cost` is its share of the live tokens: both, at most the policy's limit for one message.
    `importance` is the position-free part of its importance; empty on older rows and while a reply is being written.
    A deleted message keeps its place, role and counts, and its external id, so that no import brings it back.
    """

    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="messages", db_index=False)
    index = models.PositiveIntegerField()
    role = models.CharField(max_length=9, choices=MessageRole)
    name = models.CharField(max_length=120, blank=True)
    content = models.TextField(blank=True)
    parts = models.JSONField(default=list, blank=True)
    status = models.CharField(max_length=9, choices=MessageStatus, default=MessageStatus.COMPLETE)
    token_count = models.PositiveIntegerField()
    tokens_through = models.BigIntegerField()
    extra_tokens = models.PositiveIntegerField(
        default=0,
        db_default=0,
        editable=False,
        help_text="What the default estimate, by script, counts beyond `token_count`.",
    )
    live_cost = models.PositiveIntegerField()
    importance = models.FloatField(null=True, blank=True, editable=False)
    excluded = models.BooleanField(default=False)
    retrievable = models.BooleanField(
        default=True, db_default=True, editable=False, help_text="Whether other conversations may quote it."
    )
    compacted_in = models.PositiveIntegerField(null=True, blank=True)
    error_code = models.CharField(
        max_length=40, blank=True, db_default="", help_text="Why a reply is partial or failed."
    )
    used_count = models.PositiveSmallIntegerField(
        default=0, db_default=0, editable=False, help_text="Memories and messages retrieved for the reply."
    )
    external_id = models.CharField(max_length=200, null=True, blank=True)
    copied_from = models.UUIDField(null=True, blank=True, editable=False)
    deleted_at = models.DateTimeField(null=True, blank=True, help_text="When its text was permanently deleted.")
    created_at = models.DateTimeField()
    utc_offset = models.SmallIntegerField(
        null=True,
        blank=True,
        editable=False,
        help_text="Minutes east of UTC where it was written, if its time came with an offset.",
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "conversation", "index"], name="message_place_once"),
            models.UniqueConstraint(fields=["workspace", "conversation", "external_id"], name="message_external_once"),
            models.CheckConstraint(
                condition=models.Q(deleted_at__isnull=True) | models.Q(content="", name="", parts=[], excluded=True),
                name="message_deleted_is_empty",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                *_OF_CONVERSATION,
                LIVE_PLACE,
                name="message_live_place",
                condition=models.Q(compacted_in__isnull=True, excluded=False),
            ),
            models.Index(
                *_OF_CONVERSATION, INCLUDED_PLACE, name="message_included_place", condition=models.Q(excluded=False)
            ),
            models.Index(
                *_OF_CONVERSATION,
                LIVE_PLACE,
                name="message_live_user_place",
                condition=models.Q(compacted_in__isnull=True, excluded=False, role="user"),
            ),
            models.Index(
                fields=["workspace", "conversation", "-index"],
                name="message_excluded",
                condition=models.Q(excluded=True),
            ),
            models.Index(
                fields=["workspace", "conversation", "compacted_in"],
                name="message_folded",
                condition=models.Q(compacted_in__isnull=False),
            ),
        ]
