"""Request and response serializers of conversations, forks and shares."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.api.framework.serializers import (
    Changes,
    Choice,
    Email,
    Flag,
    Input,
    OutputSerializer,
    Text,
    TokenBudget,
    Whole,
)
from apps.conversations.limits import LONGEST_CONTENT, LONGEST_EXTERNAL_ID, LONGEST_TITLE
from apps.conversations.records import ACCESS, SHARE_ACCESS, BranchPoint, ConversationRecord, ShareRecord

LARGEST_PLACE = 2**31 - 1
_REMEMBERS = "Whether memories are made from its messages. Only the owner may change it."
_PRIVATE_MEMORY = (
    "Whether turns of its owner use private memories and other conversations although others read it. Only the owner"
    " may change it."
)
PRIVATE_REPLIES_HELP = (
    "Number of replies that used private memories or other conversations, which everyone who reads this one can read;"
    " at most 1,000 are counted."
)
_BUDGET = "Token budget of its packs unless the request sets one; null for the reader's or the workspace's."


class ExactText(Text):
    """Text stored exactly as sent, including surrounding whitespace."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"trim_whitespace": False, "max_length": LONGEST_CONTENT, **options})


class NoInput(Input):
    """An empty request body."""


class ConversationInput(Input):
    title = Text(max_length=LONGEST_TITLE, required=False, allow_blank=True, default="")
    system_prompt = ExactText(required=False, allow_blank=True, default="")
    external_id = Text(
        max_length=LONGEST_EXTERNAL_ID,
        required=False,
        allow_null=True,
        default=None,
        help_text="Id in the source system. Creating it a second time returns the existing conversation.",
    )
    token_budget = TokenBudget(allow_null=True, default=None, help_text=_BUDGET)
    temporary = Flag(
        required=False,
        default=False,
        help_text="It makes no memories, and no other conversation finds its messages. Cannot be changed later.",
    )


class ConversationChanges(Changes):
    title = Text(max_length=LONGEST_TITLE, required=False, allow_blank=True)
    system_prompt = ExactText(required=False, allow_blank=True)
    token_budget = TokenBudget(allow_null=True, help_text=_BUDGET)
    remembers = Flag(required=False, help_text=_REMEMBERS)
    private_memory_when_shared = Flag(required=False, help_text=_PRIVATE_MEMORY)
    archived = Flag(
        required=False, help_text="Only the owner may archive it. An archived conversation accepts no messages."
    )


class ConversationQuery(Input):
    archived = serializers.BooleanField(
        required=False, default=False, help_text="Return archived instead of active conversations."
    )


class ForkInput(Input):
    through_index = Whole(
        min_value=0,
        max_value=LARGEST_PLACE,
        allow_null=True,
        help_text="The index of the last message to copy; null to copy none.",
    )
    title = Text(
        max_length=LONGEST_TITLE,
        required=False,
        allow_null=True,
        allow_blank=True,
        default=None,
        help_text="Defaults to the title of the original.",
    )


class ConversationSerializer(OutputSerializer[ConversationRecord]):
    id = serializers.UUIDField()
    owner_id = serializers.UUIDField()
    title = serializers.CharField()
    system_prompt = serializers.CharField()
    external_id = serializers.CharField(allow_null=True)
    copied_from = serializers.UUIDField(allow_null=True, help_text="Id of the conversation that it was forked from.")
    copied_through = serializers.IntegerField(allow_null=True, help_text="The last index that was copied.")
    token_budget = serializers.IntegerField(allow_null=True, help_text=_BUDGET)
    remembers = serializers.BooleanField(help_text=_REMEMBERS)
    temporary = serializers.BooleanField(help_text="It makes no memories, and no other conversation finds it.")
    private_memory_when_shared = serializers.BooleanField(help_text=_PRIVATE_MEMORY)
    message_count = serializers.IntegerField()
    token_total = serializers.IntegerField(help_text="Tokens of all messages ever stored.")
    excluded_tokens = serializers.IntegerField()
    live_count = serializers.IntegerField(help_text="Number of messages that are neither compacted nor excluded.")
    live_tokens = serializers.IntegerField(
        help_text="Tokens of live messages; each counts at most as the policy's limit."
    )
    version = serializers.IntegerField()
    archived_at = serializers.DateTimeField(allow_null=True)
    access = serializers.ChoiceField(choices=ACCESS, help_text="Your access; the owner may do everything.")
    active_at = serializers.DateTimeField(help_text="Time of the last message.")
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    owner_name = serializers.CharField(help_text="The owner of a conversation that is shared with you; not in lists.")


class BranchPointSerializer(OutputSerializer[BranchPoint]):
    index = serializers.IntegerField(help_text="Index of the first message that is not shared.")
    conversation_ids = serializers.ListField(
        child=serializers.UUIDField(), help_text="One conversation of each branch, oldest branch first."
    )


class BranchesSerializer(OutputSerializer[Any]):
    points = BranchPointSerializer(many=True)


class ShareInput(Input):
    email = Email(max_length=254, help_text="Email address of a member of the same workspace.")
    access = Choice(choices=SHARE_ACCESS, default="write")


class ShareSerializer(OutputSerializer[ShareRecord]):
    user_id = serializers.UUIDField()
    email = serializers.EmailField()
    name = serializers.CharField()
    access = serializers.ChoiceField(choices=SHARE_ACCESS)
    created_at = serializers.DateTimeField()


class SharedSerializer(ShareSerializer):
    """A share just made, and what was private in the conversation before."""

    private_replies = serializers.IntegerField(help_text=PRIVATE_REPLIES_HELP)
