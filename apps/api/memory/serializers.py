"""Request and response serializers of pins and user memory."""

from __future__ import annotations

from rest_framework import serializers

from apps.api.conversations.serializers import ExactText
from apps.api.framework.serializers import Changes, Choice, Flag, Input, OutputSerializer, Text
from apps.memory.records import PIN_CATEGORIES, USER_MEMORY_TYPES, PinRecord, UserMemoryRecord

LONGEST_KEY = 120
LONGEST_MEMORY = 10_000


class PinInput(Input):
    """A message, whose content is pinned verbatim unless `content` is given, or only a text."""

    message_id = serializers.UUIDField(required=False, allow_null=True, default=None)
    content = ExactText(required=False, allow_null=True, allow_blank=True, default=None)
    category = Choice(choices=PIN_CATEGORIES, default="other")


class PinChanges(Changes):
    content = ExactText(required=False)
    category = Choice(choices=PIN_CATEGORIES, required=False)


class PinSerializer(OutputSerializer[PinRecord]):
    id = serializers.UUIDField()
    conversation_id = serializers.UUIDField()
    message_id = serializers.UUIDField(allow_null=True)
    content = serializers.CharField()
    category = serializers.ChoiceField(choices=PIN_CATEGORIES)
    token_count = serializers.IntegerField()
    pinned_by = serializers.UUIDField(allow_null=True)
    pinned_at = serializers.DateTimeField()
    version = serializers.IntegerField()


class UserMemoryInput(Input):
    type = Choice(choices=USER_MEMORY_TYPES)
    key = Text(max_length=LONGEST_KEY, help_text="Name of the entry, unique within its type.")
    content = Text(max_length=LONGEST_MEMORY)
    is_active = Flag(default=True, help_text="Active entries are included in all of your packs.")


class UserMemoryChanges(Changes):
    type = Choice(choices=USER_MEMORY_TYPES, required=False)
    key = Text(max_length=LONGEST_KEY, required=False)
    content = Text(max_length=LONGEST_MEMORY, required=False)
    is_active = Flag(required=False)


class UserMemorySerializer(OutputSerializer[UserMemoryRecord]):
    id = serializers.UUIDField()
    type = serializers.ChoiceField(choices=USER_MEMORY_TYPES)
    key = serializers.CharField()
    content = serializers.CharField()
    is_active = serializers.BooleanField()
    token_count = serializers.IntegerField()
    version = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
