"""Serializers of candidates, memories from conversations, and the state of extraction."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.api.conversations.serializers import LARGEST_PLACE
from apps.api.framework.serializers import Choice, Input, OutputSerializer
from apps.extraction.records import (
    FAILURES,
    MEMORY_STATES,
    OUTCOMES,
    CandidateRecord,
    ExtractedMemory,
    ExtractionState,
    RunFailure,
    RunSummary,
)
from apps.extraction.selectors.candidates import REASONS
from apps.extraction.selectors.switches import OFF_BY


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
    category = serializers.CharField(help_text="Empty if it was refused, or is a request to forget.")
    rule = serializers.CharField(
        help_text="The rule that found it, `model`, or `forget`; empty if a rule's find was refused."
    )
    extractor = serializers.CharField(help_text="The version of the rules, or the model, that found it.")
    statement = serializers.CharField(help_text="A model's own words for it; empty if they are the quote.")
    outcome = serializers.ChoiceField(
        choices=OUTCOMES,
        help_text="`known`: such a memory existed and got one more source. `deleted`: you deleted such a memory"
        " permanently. `proposed`: the memory waits for a person's decision. `forgotten`: the message asked to forget"
        " the memory. `to_forget`: it may mean this one.",
    )
    reason = serializers.CharField(
        help_text="Why it was refused, such as `question`, `secret`, or `not_grounded` for a model's statement of what"
        " nobody wrote."
    )
    memory_id = serializers.UUIDField(allow_null=True)
    created_at = serializers.DateTimeField()


class RunResultSerializer(OutputSerializer[Any]):
    """What a run read and stored."""

    messages = serializers.IntegerField(help_text="Number of messages read.")
    read_in_part = serializers.IntegerField(
        help_text="Those of them that are so long that only their beginning and end were read."
    )
    created = serializers.IntegerField()
    proposed = serializers.IntegerField()
    replaced = serializers.IntegerField()
    outdated = serializers.IntegerField()
    merged = serializers.IntegerField()
    known = serializers.IntegerField()
    deleted = serializers.IntegerField()
    refused = serializers.IntegerField()
    refused_reasons = serializers.DictField(child=serializers.IntegerField(), help_text="Their number by reason.")
    reason = serializers.ChoiceField(choices=REASONS, allow_blank=True, help_text="Why nothing was stored.")
    model_unavailable = serializers.CharField(
        help_text="Why rules read some of it without a model: the code of the model's error, `not_configured`,"
        " `recall_only` or `ceiling`. Empty if a model read all of it."
    )


class RunSummarySerializer(OutputSerializer[RunSummary]):
    id = serializers.UUIDField(help_text="The operation's, if a person asked for it.")
    requested = serializers.BooleanField(help_text="Whether a person asked for it.")
    ended_at = serializers.DateTimeField()
    result = RunResultSerializer()


class RunFailureSerializer(OutputSerializer[RunFailure]):
    code = serializers.ChoiceField(choices=tuple(FAILURES))
    detail = serializers.CharField()
    gave_up = serializers.BooleanField(
        help_text="All attempts in a row failed. It is tried again after hours, or when you ask for it."
    )
    retry_at = serializers.DateTimeField()


class ExtractionStateSerializer(OutputSerializer[ExtractionState]):
    off_by = serializers.ChoiceField(
        choices=OFF_BY,
        allow_blank=True,
        help_text="What switches it off: the conversation is `temporary`, the engine or the workspace's policy is off,"
        " your own settings or the conversation's. Empty while memories are made.",
    )
    next_index = serializers.IntegerField(help_text="Messages before this index were read.")
    unread_messages = serializers.IntegerField()
    due_at = serializers.DateTimeField(allow_null=True, help_text="When the next run starts; null while one runs.")
    is_running = serializers.BooleanField()
    is_being_read = serializers.BooleanField(help_text="What you have just said in it is being read.")
    failure = RunFailureSerializer(allow_null=True, help_text="Set while the last run is one that failed.")
    last_run = RunSummarySerializer(allow_null=True)


class ExtractedMemoriesQuery(Input):
    from_index = serializers.IntegerField(
        min_value=0, max_value=LARGEST_PLACE, required=False, default=0, help_text="Index of the first message."
    )


class ExtractedMemorySerializer(OutputSerializer[ExtractedMemory]):
    """A memory that was found in a message, as it is now."""

    id = serializers.UUIDField(help_text="The candidate's.")
    message_id = serializers.UUIDField()
    index = serializers.IntegerField(help_text="Index of the message.")
    quote = serializers.CharField(help_text="The words of the message that it comes from.")
    rule = serializers.CharField(
        help_text="What found it: `reader`, our own, `model`, or `forget`, a request to forget."
    )
    outcome = serializers.ChoiceField(
        choices=OUTCOMES,
        help_text="What became of the words when they were read: `forgotten` if the message asked to forget the memory,"
        " `to_forget` if it may mean this one.",
    )
    state = serializers.ChoiceField(
        choices=MEMORY_STATES, help_text="What the memory is now; a `proposed` one waits for your decision."
    )
    memory_id = serializers.UUIDField()
    uri = serializers.CharField()
    statement = serializers.CharField(help_text="What the memory says.")
    change_id = serializers.UUIDField(allow_null=True, help_text="The change that stored it, which can be undone.")
    conflicts = serializers.IntegerField(help_text="Number of memories that it may replace.")
    replaced = serializers.ListField(
        child=serializers.CharField(), help_text="What the memories said that it replaced."
    )
    created_at = serializers.DateTimeField()
