"""What the endpoints of conversations take and give."""

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
from apps.conversations.records import ACCESS, SHARE_ACCESS, ConversationRecord, ShareRecord

LARGEST_PLACE = 2**31 - 1
_BUDGET = "Of its packs, where a request names none; null for the reader's own or the workspace's."


class ExactText(Text):
    """Kept as it was sent, blanks at its ends included."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"trim_whitespace": False, "max_length": LONGEST_CONTENT, **options})


class NoInput(Input):
    """Where the address says it all."""


class ConversationInput(Input):
    title = Text(max_length=LONGEST_TITLE, required=False, allow_blank=True, default="")
    system_prompt = ExactText(required=False, allow_blank=True, default="")
    external_id = Text(
        max_length=LONGEST_EXTERNAL_ID,
        required=False,
        allow_null=True,
        default=None,
        help_text="Its name where it came from. A second conversation of this name is the first one.",
    )
    token_budget = TokenBudget(allow_null=True, default=None, help_text=_BUDGET)


class ConversationChanges(Changes):
    title = Text(max_length=LONGEST_TITLE, required=False, allow_blank=True)
    system_prompt = ExactText(required=False, allow_blank=True)
    token_budget = TokenBudget(allow_null=True, help_text=_BUDGET)
    archived = Flag(required=False, help_text="Only its owner archives it. An archived one takes no messages.")


class ConversationQuery(Input):
    archived = serializers.BooleanField(required=False, default=False, help_text="The archived ones instead.")


class ForkInput(Input):
    through_index = Whole(min_value=0, max_value=LARGEST_PLACE, help_text="The index of the last message to copy.")
    title = Text(
        max_length=LONGEST_TITLE,
        required=False,
        allow_null=True,
        allow_blank=True,
        default=None,
        help_text="As before.",
    )


class ConversationSerializer(OutputSerializer[ConversationRecord]):
    id = serializers.UUIDField()
    owner_id = serializers.UUIDField()
    title = serializers.CharField()
    system_prompt = serializers.CharField()
    external_id = serializers.CharField(allow_null=True)
    copied_from = serializers.UUIDField(allow_null=True, help_text="The conversation that it was forked from.")
    copied_through = serializers.IntegerField(allow_null=True)
    token_budget = serializers.IntegerField(allow_null=True, help_text=_BUDGET)
    message_count = serializers.IntegerField()
    token_total = serializers.IntegerField(help_text="Of every message ever stored.")
    excluded_tokens = serializers.IntegerField()
    live_count = serializers.IntegerField(help_text="Messages that are neither folded nor excluded.")
    live_tokens = serializers.IntegerField(help_text="Theirs; a long message counts at most at the policy's limit.")
    version = serializers.IntegerField()
    archived_at = serializers.DateTimeField(allow_null=True)
    access = serializers.ChoiceField(choices=ACCESS, help_text="What you may do with it; its owner may do everything.")
    active_at = serializers.DateTimeField(help_text="When something was last said in it.")
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class ShareInput(Input):
    email = Email(max_length=254, help_text="Of a member of the same workspace.")
    access = Choice(choices=SHARE_ACCESS, default="write")


class ShareSerializer(OutputSerializer[ShareRecord]):
    user_id = serializers.UUIDField()
    email = serializers.EmailField()
    name = serializers.CharField()
    access = serializers.ChoiceField(choices=SHARE_ACCESS)
    created_at = serializers.DateTimeField()
