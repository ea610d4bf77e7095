"""Serializers of a conversation's live state, shared with the socket's snapshot."""

from __future__ import annotations

from rest_framework import serializers

from apps.api.framework.serializers import OutputSerializer
from apps.compaction.records import LEVELS, RUN_STATES, TRIGGERS
from apps.context.selectors.conversation.live_snapshot import LiveState
from apps.context.selectors.conversation.token_history import CompactionPoint, LivePoint, LiveSeries
from apps.conversations.records import MESSAGE_ROLES, MESSAGE_STATES, MESSAGE_STATUSES
from apps.engine.compaction.health import Health, HealthCode, HealthReason, HealthStatus, Number, Source, Tone
from apps.engine.compaction.plan import NotDue, NotDueCode
from apps.events.state_parts import (
    CompactionState,
    ConversationState,
    Counts,
    MessageState,
    PinState,
    SummaryState,
    TurnState,
)
from apps.memory.records import PIN_CATEGORIES

STATUSES = tuple(HealthStatus)
HEALTH_CODES = tuple(HealthCode)
NOT_DUE_CODES = tuple(NotDueCode)
TONES = tuple(Tone)
SOURCES = tuple(source.value for source in Source)


class ConversationStateSerializer(OutputSerializer[ConversationState]):
    title = serializers.CharField()
    archived_at = serializers.DateTimeField(allow_null=True)
    edited = serializers.IntegerField(help_text="The conversation's version, for If-Match.")
    share_count = serializers.IntegerField()
    private_memory_when_shared = serializers.BooleanField(
        help_text="Whether turns of its owner use private memories although others read it."
    )


class CountsSerializer(OutputSerializer[Counts]):
    message_count = serializers.IntegerField()
    token_total = serializers.IntegerField()
    excluded_tokens = serializers.IntegerField()
    live_count = serializers.IntegerField()
    live_tokens = serializers.IntegerField()


class SummaryStateSerializer(OutputSerializer[SummaryState]):
    version = serializers.IntegerField()
    tokens = serializers.IntegerField()
    compaction_count = serializers.IntegerField()


class CompactionStateSerializer(OutputSerializer[CompactionState]):
    run_id = serializers.UUIDField()
    trigger = serializers.ChoiceField(choices=TRIGGERS)
    level = serializers.ChoiceField(choices=LEVELS, allow_blank=True)
    state = serializers.ChoiceField(choices=RUN_STATES)
    stage = serializers.CharField(help_text="The current stage; empty unless it is running.")
    progress = serializers.IntegerField(help_text="In percent.")
    version = serializers.IntegerField(allow_null=True)
    compacted_from = serializers.IntegerField(allow_null=True)
    compacted_through = serializers.IntegerField(allow_null=True)
    compacted_count = serializers.IntegerField()
    tokens_before = serializers.IntegerField(allow_null=True)
    tokens_after = serializers.IntegerField(allow_null=True)
    fallback_reason = serializers.CharField(help_text="As in a compaction's `fallback_reason`.")
    error_code = serializers.CharField()
    retry_at = serializers.DateTimeField(allow_null=True)


class TurnStateSerializer(OutputSerializer[TurnState]):
    reply_id = serializers.UUIDField()
    index = serializers.IntegerField()
    since = serializers.DateTimeField()


class PinStateSerializer(OutputSerializer[PinState]):
    id = serializers.UUIDField()
    message_id = serializers.UUIDField(allow_null=True)
    category = serializers.ChoiceField(choices=PIN_CATEGORIES)
    token_count = serializers.IntegerField()
    version = serializers.IntegerField()


class MessageStateSerializer(OutputSerializer[MessageState]):
    id = serializers.UUIDField()
    index = serializers.IntegerField()
    role = serializers.ChoiceField(choices=MESSAGE_ROLES)
    status = serializers.ChoiceField(choices=MESSAGE_STATUSES)
    state = serializers.ChoiceField(choices=MESSAGE_STATES)
    token_count = serializers.IntegerField()
    error_code = serializers.CharField()
    used_count = serializers.IntegerField(help_text="Number of memories and messages retrieved for a reply.")


class HealthNumberSerializer(OutputSerializer[Number]):
    value = serializers.FloatField()
    source = serializers.ChoiceField(choices=SOURCES)  # type: ignore[assignment]  # a field of this name, not the option


class HealthReasonSerializer(OutputSerializer[HealthReason]):
    """With `percent` (`used`, `running`), `turns` (`due_in_turns`), `minutes` (`retry_in_minutes`), or `before` and
    `after` in live tokens (`compacted`)."""

    code = serializers.ChoiceField(choices=HEALTH_CODES)
    params = serializers.DictField(child=serializers.IntegerField())


class NotDueSerializer(OutputSerializer[NotDue]):
    """With `count` of `needed` messages (`few_messages`) or tokens (`few_tokens`, `little_to_compact`); compaction may
    pause until so many `tokens` are live (`paused_until`), or until a person starts one (`paused`)."""

    code = serializers.ChoiceField(choices=NOT_DUE_CODES)
    params = serializers.DictField(child=serializers.IntegerField())


class ConversationHealthSerializer(OutputSerializer[Health]):
    status = serializers.ChoiceField(choices=STATUSES)
    reason = HealthReasonSerializer()
    not_due_reason = NotDueSerializer(
        allow_null=True, help_text="Why no compaction begins although the context is tight, if so."
    )
    tone = serializers.ChoiceField(choices=TONES)
    numbers = serializers.DictField(child=HealthNumberSerializer())
    turns_until_compaction = serializers.IntegerField(allow_null=True)


class LiveSerializer(OutputSerializer[LiveState]):
    conversation_id = serializers.UUIDField()
    version = serializers.IntegerField(help_text="State version of the newest event included.")
    conversation = ConversationStateSerializer()
    counts = CountsSerializer()
    summary = SummaryStateSerializer()
    compaction = CompactionStateSerializer(
        allow_null=True, help_text="The running or queued compaction, else the last one."
    )
    turn = TurnStateSerializer(allow_null=True, help_text="The reply that is being written.")
    pins = PinStateSerializer(many=True)
    messages = MessageStateSerializer(many=True, help_text="The newest 50, oldest first.")
    health = ConversationHealthSerializer()


class LivePointSerializer(OutputSerializer[LivePoint]):
    index = serializers.IntegerField()
    live_tokens = serializers.IntegerField(help_text="Live tokens when the message at this index was the newest.")
    source = serializers.ChoiceField(choices=SOURCES)  # type: ignore[assignment]  # a field of this name


class CompactionPointSerializer(OutputSerializer[CompactionPoint]):
    run_id = serializers.UUIDField()
    index = serializers.IntegerField(help_text="Index of the newest message when the compaction started.")
    tokens_before = serializers.IntegerField()
    tokens_after = serializers.IntegerField()
    source = serializers.ChoiceField(choices=SOURCES, help_text="Source of the index; the tokens are counted.")  # type: ignore[assignment]  # a field of this name


class LiveSeriesSerializer(OutputSerializer[LiveSeries]):
    points = LivePointSerializer(many=True)
    compactions = CompactionPointSerializer(many=True)
