"""Request and response serializers of summaries and compactions."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.api.conversations.serializers import LARGEST_PLACE
from apps.api.framework.serializers import Choice, Input, OutputSerializer
from apps.api.jobs.operation_serializers import OperationSerializer
from apps.compaction.records import (
    LEVELS,
    RUN_STAGES,
    RUN_STATES,
    TRIGGERS,
    VERSION_CAUSES,
    PlanRecord,
    RunRecord,
    SummaryRecord,
    VersionRecord,
)
from apps.engine.summary.carry_over import RemovalReason
from apps.engine.summary.rolling_summary import ReferenceType

REMOVAL_REASONS = [reason.value for reason in RemovalReason]
FALLBACK_REASON = (
    "Why the summary was written without the configured model: recall_only, ceiling, no_price (model spending is "
    "limited and the model's price is unknown), no_room (its context window is too small), resting (circuit open: the "
    "provider failed repeatedly), backlog (imported messages), failed (the model failed twice). Empty otherwise."
)
REFERENCE_TYPES = tuple((kind.value, kind.name) for kind in ReferenceType)


class SourcedSerializer(OutputSerializer[Any]):
    sources = serializers.ListField(
        child=serializers.UUIDField(), help_text="Ids of the messages that it was derived from."
    )
    corrected = serializers.BooleanField(help_text="Whether a person wrote it; it may then have no sources.")
    reported = serializers.BooleanField(
        default=False,
        help_text="Whether only an assistant or a tool said it. Packs quote it in a section of its own, not confirmed.",
    )


class LineSerializer(SourcedSerializer):
    text = serializers.CharField()


class DecisionSerializer(SourcedSerializer):
    text = serializers.CharField()
    reason = serializers.CharField(help_text="Empty if none was given.")


class DefinitionSerializer(SourcedSerializer):
    text = serializers.CharField()
    place = serializers.IntegerField(help_text="Its index in the section.")


class ReferenceSerializer(SourcedSerializer):
    type = serializers.ChoiceField(choices=REFERENCE_TYPES)
    value = serializers.CharField()
    note = serializers.CharField()


class RollingSummarySerializer(OutputSerializer[Any]):
    """The lines of each section, oldest first."""

    goals = LineSerializer(many=True)
    decisions = DecisionSerializer(many=True)
    requirements = LineSerializer(many=True)
    current_plan = LineSerializer(many=True)
    open_questions = LineSerializer(many=True)
    definitions = serializers.DictField(child=DefinitionSerializer(), help_text="By term.")
    references = ReferenceSerializer(many=True)


class SummaryQuery(Input):
    version = serializers.IntegerField(
        min_value=0, max_value=LARGEST_PLACE, required=False, default=None, help_text="Defaults to the current version."
    )


class RemovedLineSerializer(OutputSerializer[Any]):
    """A line of the previous version that this version no longer contains."""

    field = serializers.CharField()
    key = serializers.CharField(help_text="A definition's term, a reference's value, or the line's text alone.")
    text = serializers.CharField(help_text="As models read it.")
    reason = serializers.ChoiceField(
        choices=REMOVAL_REASONS,
        help_text="Why: a message superseded, answered or finished it (done); its section was full (limit); it "
        "resembled an instruction to the model (instruction); or no reason is known (unknown).",
    )
    by = serializers.ListField(child=serializers.CharField(), help_text="Ids of the messages that caused the removal.")


class SummarySerializer(OutputSerializer[SummaryRecord]):
    """The rolling summary; version 0 is empty and exists before the first compaction."""

    version = serializers.IntegerField()
    cause = serializers.ChoiceField(choices=VERSION_CAUSES, allow_blank=True, help_text="What created this version.")
    rolling_summary = RollingSummarySerializer()
    summary_tokens = serializers.IntegerField()
    covers_through = serializers.IntegerField(allow_null=True, help_text="Index of the last compacted message.")
    created_at = serializers.DateTimeField(allow_null=True)
    removed = RemovedLineSerializer(many=True, help_text="Lines removed in this version.")
    dropped = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="By field: how many lines were removed so far because the field was full.",
    )


class SummaryVersionSerializer(OutputSerializer[VersionRecord]):
    """A version of the summary without its text; get the summary with `version` for the text."""

    version = serializers.IntegerField()
    cause = serializers.ChoiceField(choices=VERSION_CAUSES)
    summary_tokens = serializers.IntegerField()
    covers_through = serializers.IntegerField(allow_null=True)
    undone = serializers.BooleanField(help_text="Whether a compaction included in it was undone.")
    created_at = serializers.DateTimeField()
    run_id = serializers.UUIDField(allow_null=True, help_text="The compaction that created it.")
    model = serializers.CharField(help_text="The compaction's model; empty if no compaction created it.")


class CompactionInput(Input):
    level = Choice(choices=LEVELS, default="light")


class CompactionQuery(Input):
    dry_run = serializers.BooleanField(
        required=False, default=False, help_text="Return the plan without writing anything."
    )


class CompactionPlanSerializer(OutputSerializer[PlanRecord]):
    """The result of a dry run: counts of messages and live tokens are exact, other sizes are estimates."""

    level = serializers.ChoiceField(choices=LEVELS)
    message_count = serializers.IntegerField(help_text="Number of messages to compact.")
    compacted_from = serializers.IntegerField(allow_null=True, help_text="Index of the first message to compact.")
    compacted_through = serializers.IntegerField(allow_null=True)
    complete = serializers.BooleanField(help_text="Whether one run suffices; otherwise another must follow.")
    live_tokens_before = serializers.IntegerField()
    live_tokens_after = serializers.IntegerField()
    summary_tokens_before = serializers.IntegerField()
    summary_tokens_after = serializers.IntegerField(help_text="Estimated.")
    freed_tokens = serializers.IntegerField(help_text="Estimated reduction of the context.")
    preservation_ratio_before = serializers.FloatField(help_text="In percent.")
    preservation_ratio_after = serializers.FloatField(help_text="In percent, estimated.")


class CompactionSerializer(OutputSerializer[RunRecord]):
    id = serializers.UUIDField()
    conversation_id = serializers.UUIDField()
    operation_id = serializers.UUIDField(allow_null=True)
    trigger = serializers.ChoiceField(choices=TRIGGERS)
    level = serializers.ChoiceField(choices=LEVELS)
    state = serializers.ChoiceField(choices=RUN_STATES)
    stage = serializers.ChoiceField(
        choices=tuple(RUN_STAGES), allow_blank=True, help_text="The current stage; empty unless it is running."
    )
    progress = serializers.IntegerField(help_text="In percent.")
    base_version = serializers.IntegerField(
        allow_null=True, help_text="Version of the summary that the run started from."
    )
    version = serializers.IntegerField(allow_null=True, help_text="Version of the summary that the run stored.")
    compacted_from = serializers.IntegerField(allow_null=True, help_text="Index of the first compacted message.")
    compacted_through = serializers.IntegerField(allow_null=True)
    compacted_count = serializers.IntegerField()
    tokens_before = serializers.IntegerField(allow_null=True, help_text="Live tokens before the run.")
    tokens_after = serializers.IntegerField(allow_null=True)
    preservation_ratio = serializers.FloatField(allow_null=True, help_text="In percent.")
    model = serializers.CharField()
    fallback_reason = serializers.CharField(help_text=FALLBACK_REASON)
    error_code = serializers.CharField()
    error = serializers.CharField()
    retry_at = serializers.DateTimeField(allow_null=True, help_text="When a failed run is retried.")
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)


class CompactionRequestedSerializer(OutputSerializer[Any]):
    """`operation` is null if another user requested the queued compaction; poll the compaction in that case."""

    operation = OperationSerializer(allow_null=True)
    compaction = CompactionSerializer()
