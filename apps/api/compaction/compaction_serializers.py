"""What the endpoints of summaries and compactions take and give."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.api.conversations.serializers import LARGEST_PLACE
from apps.api.framework.serializers import Choice, Input, OutputSerializer
from apps.api.jobs.operations import OperationSerializer
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
from apps.engine.summary.carry_over import Because
from apps.engine.summary.rolling_summary import ReferenceType

GONE_BECAUSE = [because.value for because in Because]
FELL_BACK = (
    "Why the summary was written without a model though one is configured: recall_only, ceiling, no_price (what models "
    "may cost is limited, and nobody knows what this one does), no_room (its window is too small), resting (the "
    "provider failed again and again), backlog (an import brought it), failed (the model did, twice). Empty otherwise."
)
REFERENCE_TYPES = tuple((kind.value, kind.name) for kind in ReferenceType)


class SourcedSerializer(OutputSerializer[Any]):
    sources = serializers.ListField(child=serializers.UUIDField(), help_text="The messages that it came from.")
    corrected = serializers.BooleanField(help_text="A person wrote it; without sources, out of their own mind.")


class LineSerializer(SourcedSerializer):
    text = serializers.CharField()


class DecisionSerializer(SourcedSerializer):
    text = serializers.CharField()
    reason = serializers.CharField(help_text="Empty where none was given.")


class DefinitionSerializer(SourcedSerializer):
    text = serializers.CharField()
    place = serializers.IntegerField(help_text="Its index in the field.")


class ReferenceSerializer(SourcedSerializer):
    type = serializers.ChoiceField(choices=REFERENCE_TYPES)
    value = serializers.CharField()
    note = serializers.CharField()


class RollingSummarySerializer(OutputSerializer[Any]):
    """Each field from its oldest to its newest line."""

    goals = LineSerializer(many=True)
    decisions = DecisionSerializer(many=True)
    requirements = LineSerializer(many=True)
    current_plan = LineSerializer(many=True)
    open_questions = LineSerializer(many=True)
    definitions = serializers.DictField(child=DefinitionSerializer(), help_text="By term.")
    references = ReferenceSerializer(many=True)


class SummaryQuery(Input):
    version = serializers.IntegerField(
        min_value=0, max_value=LARGEST_PLACE, required=False, default=None, help_text="By default, the present one."
    )


class GoneSerializer(OutputSerializer[Any]):
    """A line of the version before that is not in this one."""

    field = serializers.CharField()
    text = serializers.CharField()
    because = serializers.ChoiceField(
        choices=GONE_BECAUSE,
        help_text="A message superseded, answered or finished it (done); its field was full (limit); it read like an "
        "order to the model (instruction); or nobody said why (left_out).",
    )
    by = serializers.ListField(child=serializers.CharField(), help_text="Ids of the messages that ended it.")


class SummarySerializer(OutputSerializer[SummaryRecord]):
    """Version 0, with nothing in it, where nothing was summarised yet."""

    version = serializers.IntegerField()
    cause = serializers.ChoiceField(choices=VERSION_CAUSES, allow_blank=True, help_text="What made this version.")
    rolling_summary = RollingSummarySerializer()
    summary_tokens = serializers.IntegerField()
    covers_through = serializers.IntegerField(allow_null=True, help_text="The last index folded so far.")
    created_at = serializers.DateTimeField(allow_null=True)
    gone = GoneSerializer(many=True, help_text="What left with this version, and why.")


class SummaryVersionSerializer(OutputSerializer[VersionRecord]):
    """To see a version's text, ask for the summary as of it."""

    version = serializers.IntegerField()
    cause = serializers.ChoiceField(choices=VERSION_CAUSES)
    summary_tokens = serializers.IntegerField()
    covers_through = serializers.IntegerField(allow_null=True)
    undone = serializers.BooleanField(help_text="A compaction that it holds was undone.")
    created_at = serializers.DateTimeField()
    run_id = serializers.UUIDField(allow_null=True, help_text="The compaction that made it.")
    model = serializers.CharField(help_text="Its model; empty where no compaction made it.")


class CompactionInput(Input):
    level = Choice(choices=LEVELS, default="light")


class CompactionQuery(Input):
    dry_run = serializers.BooleanField(
        required=False, default=False, help_text="Answer with the plan and write nothing."
    )


class CompactionPlanSerializer(OutputSerializer[PlanRecord]):
    """The answer to a dry run: messages and live tokens exactly, the summary's size and what is freed estimated."""

    level = serializers.ChoiceField(choices=LEVELS)
    message_count = serializers.IntegerField(help_text="How many messages it would compact.")
    folded_from = serializers.IntegerField(allow_null=True, help_text="The first index that it would compact.")
    folded_through = serializers.IntegerField(allow_null=True)
    complete = serializers.BooleanField(help_text="False where another run would have to follow.")
    live_tokens_before = serializers.IntegerField()
    live_tokens_after = serializers.IntegerField()
    summary_tokens_before = serializers.IntegerField()
    summary_tokens_after = serializers.IntegerField(help_text="Estimated.")
    freed_tokens = serializers.IntegerField(help_text="Estimated: by how much the context would shrink.")


class CompactionSerializer(OutputSerializer[RunRecord]):
    id = serializers.UUIDField()
    conversation_id = serializers.UUIDField()
    operation_id = serializers.UUIDField(allow_null=True)
    trigger = serializers.ChoiceField(choices=TRIGGERS)
    level = serializers.ChoiceField(choices=LEVELS)
    state = serializers.ChoiceField(choices=RUN_STATES)
    stage = serializers.ChoiceField(choices=tuple(RUN_STAGES), allow_blank=True, help_text="While it runs.")
    progress = serializers.IntegerField(help_text="In percent.")
    base_version = serializers.IntegerField(allow_null=True, help_text="Of the summary that it began with.")
    version = serializers.IntegerField(allow_null=True, help_text="Of the summary that it stored.")
    folded_from = serializers.IntegerField(allow_null=True, help_text="The first index that it folded.")
    folded_through = serializers.IntegerField(allow_null=True)
    folded_count = serializers.IntegerField()
    tokens_before = serializers.IntegerField(allow_null=True, help_text="Live ones, as in `tokens_after`.")
    tokens_after = serializers.IntegerField(allow_null=True)
    preservation_ratio = serializers.FloatField(allow_null=True, help_text="In percent.")
    model = serializers.CharField()
    fell_back = serializers.CharField(help_text=FELL_BACK)
    error_code = serializers.CharField()
    error = serializers.CharField()
    retry_at = serializers.DateTimeField(allow_null=True, help_text="When a failed one is tried again.")
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)


class CompactionRequestedSerializer(OutputSerializer[Any]):
    """`operation` is empty where somebody else asked for the compaction that waits: then poll the compaction."""

    operation = OperationSerializer(allow_null=True)
    compaction = CompactionSerializer()
