"""Response serializers of the inbox."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.api.framework.serializers import OutputSerializer
from apps.api.memory.node_serializers import ARRIVALS, CATEGORIES, TRUSTS, MemorySourceNameSerializer
from apps.conversations.records import MESSAGE_ROLES
from apps.engine.extraction.candidate import Speaker
from apps.inbox.records import (
    DecidedRecord,
    DecisionRecord,
    InboxItem,
    InboxMemory,
    ItemKind,
    NearDuplicate,
    QuoteRecord,
    SkippedItem,
    SourceEffect,
    TrustStep,
    UndoneRecord,
)
from apps.inbox.selectors.decided import VERDICTS

SPEAKERS = tuple(speaker.value for speaker in Speaker)
_WAITING = "Number of items that wait for you now."
_CHANGE = "The change to undo; null if nothing changed."


class MemoryQuoteSerializer(OutputSerializer[QuoteRecord]):
    """Words that a memory is based on, from a conversation that you may read."""

    message_id = serializers.UUIDField()
    conversation_id = serializers.UUIDField()
    conversation_title = serializers.CharField()
    index = serializers.IntegerField(help_text="Index of the message in its conversation.")
    role = serializers.ChoiceField(choices=MESSAGE_ROLES)
    name = serializers.CharField(help_text="The author of the message, if known.")
    speaker = serializers.ChoiceField(choices=SPEAKERS, help_text="Who said it: `self` is the owner of the memory.")
    text = serializers.CharField()
    is_exact = serializers.BooleanField(help_text="Whether these are the exact words, not the message's beginning.")
    start = serializers.IntegerField(help_text="Index of the quote's first character in the message.")
    end = serializers.IntegerField(help_text="Index of the character after the quote's last.")
    extractor = serializers.CharField(help_text="The rules or the model that found it.")
    rule = serializers.CharField()
    confidence = serializers.FloatField(allow_null=True, help_text="From 0 to 1.")


class InboxMemorySerializer(OutputSerializer[InboxMemory]):
    id = serializers.UUIDField()
    uri = serializers.CharField()
    category = serializers.CharField(help_text=f"One of {', '.join(CATEGORIES)}.")
    abstract = serializers.CharField()
    content = serializers.CharField()
    is_cut = serializers.BooleanField(help_text="Whether `content` is only the beginning of the text.")
    tags = serializers.ListField(child=serializers.CharField())
    owner_id = serializers.UUIDField(allow_null=True, help_text="Null if the workspace sees it.")
    shared = serializers.BooleanField()
    trust = serializers.ChoiceField(choices=TRUSTS)
    arrival = serializers.ChoiceField(choices=ARRIVALS)
    attribute = serializers.CharField(help_text="The attribute that it gives a value of, if any.")
    value = serializers.CharField()
    occurred_at = serializers.DateTimeField(help_text="The date of the fact.")
    valid_from = serializers.DateTimeField(allow_null=True, help_text="The date of the words that state it.")
    version = serializers.IntegerField()
    sources = MemorySourceNameSerializer(many=True)
    quotes = MemoryQuoteSerializer(many=True, help_text="The newest five.")


class NearDuplicateSerializer(OutputSerializer[NearDuplicate]):
    memory = InboxMemorySerializer()
    similarity = serializers.FloatField(help_text="From 0 to 1.")


class TrustStepSerializer(OutputSerializer[TrustStep]):
    step = serializers.ChoiceField(choices=("speaker", "source", "extractor", "trust"))
    value = serializers.CharField()
    name = serializers.CharField(help_text="The speaker's name, if known.")


class InboxItemSerializer(OutputSerializer[InboxItem]):
    """A proposed memory, or two memories in use that may contradict each other."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=tuple(kind.value for kind in ItemKind))
    memory = InboxMemorySerializer(help_text="The proposed memory, or the later of the two.")
    replaces = InboxMemorySerializer(many=True, help_text="Memories in use that it may replace.")
    near_duplicates = NearDuplicateSerializer(many=True, help_text="Memories in use that mean nearly the same.")
    reason = serializers.CharField(
        help_text="Why it waits: `same_attribute`, `untrusted`, `review`, `quarantined`, or the reason of a conflict."
    )
    trust_path = TrustStepSerializer(many=True, help_text="A memory is trusted as much as its least trusted source.")
    created_at = serializers.DateTimeField()


class InboxCountSerializer(OutputSerializer[Any]):
    waiting = serializers.IntegerField(help_text=_WAITING)


class SkippedItemSerializer(OutputSerializer[SkippedItem]):
    id = serializers.UUIDField()
    code = serializers.CharField(help_text="Machine-readable reason.")
    detail = serializers.CharField()


class InboxDecisionSerializer(OutputSerializer[DecisionRecord]):
    """What was decided, in one change."""

    change_id = serializers.UUIDField(allow_null=True, help_text=_CHANGE)
    ids = serializers.ListField(child=serializers.UUIDField(), help_text="The decided items.")
    skipped = SkippedItemSerializer(many=True, help_text="Items that could not be decided, each with the reason.")
    waiting = serializers.IntegerField(help_text=_WAITING)


class InboxDecidedSerializer(OutputSerializer[DecidedRecord]):
    """A decision of the past."""

    change_id = serializers.UUIDField(help_text="The change to undo.")
    verdict = serializers.ChoiceField(choices=VERDICTS)
    memory_id = serializers.UUIDField(help_text="The first memory that it decided about.")
    uri = serializers.CharField()
    text = serializers.CharField()
    count = serializers.IntegerField(help_text="Number of memories that it decided about.")
    actor_name = serializers.CharField()
    decided_at = serializers.DateTimeField()
    undone = serializers.BooleanField()


class InboxUndoneSerializer(OutputSerializer[UndoneRecord]):
    ids = serializers.ListField(child=serializers.UUIDField(), help_text="The items that wait again.")
    waiting = serializers.IntegerField(help_text=_WAITING)


class SourceEffectSerializer(OutputSerializer[SourceEffect]):
    """What taking a source out of use changes or, in a dry run, would change."""

    change_id = serializers.UUIDField(allow_null=True, help_text=_CHANGE)
    affected = serializers.IntegerField(help_text="Memories that wait for approval again, or are archived.")
    detached = serializers.IntegerField(help_text="Memories that have other sources: they stay, and lose this one.")
    restored = serializers.IntegerField(help_text="Memories that were superseded by one of them, current again.")
    waiting = serializers.IntegerField(help_text=_WAITING)
