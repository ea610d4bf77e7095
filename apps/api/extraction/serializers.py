"""Serializers of candidates."""

from __future__ import annotations

from rest_framework import serializers

from apps.api.framework.serializers import Choice, Input, OutputSerializer
from apps.extraction.records import OUTCOMES, CandidateRecord


class CandidatesQuery(Input):
    outcome = Choice(choices=OUTCOMES, required=False, default="", allow_blank=True, help_text="Only these.")


class CandidateSerializer(OutputSerializer[CandidateRecord]):
    """Words of a message that became a memory, or were refused."""

    id = serializers.UUIDField()
    message_id = serializers.UUIDField()
    index = serializers.IntegerField(help_text="Index of the message in its conversation.")
    start = serializers.IntegerField(help_text="Index of the quote's first character in the message.")
    end = serializers.IntegerField(help_text="Index of the character after the quote's last.")
    quote = serializers.CharField()
    category = serializers.CharField(help_text="Empty if it was refused.")
    rule = serializers.CharField(help_text="The rule that found it; empty if it was refused.")
    outcome = serializers.ChoiceField(
        choices=OUTCOMES,
        help_text="`known`: such a memory existed and got one more source. `deleted`: you deleted such a memory"
        " permanently. `proposed`: the memory waits for a person's decision.",
    )
    reason = serializers.CharField(help_text="Why it was refused, such as `question` or `temporary`.")
    memory_id = serializers.UUIDField(allow_null=True)
    created_at = serializers.DateTimeField()
