"""Read segments and run the job that creates them."""

from __future__ import annotations

from uuid import UUID

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.models import SegmentSummary
from apps.compaction.services.segments import segments_for_pack, segments_schedule_if_due
from apps.conversations.models import Conversation, Message
from apps.engine.compaction.segments import Segment, SegmentText
from apps.engine.policy import Policy
from apps.jobs.models import DueJob
from apps.turns.services.messages import messages_set_excluded
from tests.compaction.runs import run_due_jobs

SegmentTexts = dict[Segment, SegmentText]


def segments(actor: Actor, conversation_id: UUID, level: int = 1) -> list[SegmentSummary]:
    with workspace(actor.workspace_id):
        return list(SegmentSummary.objects.filter(conversation_id=conversation_id, level=level).order_by("ordinal"))


def spans(actor: Actor, conversation_id: UUID, level: int = 1) -> list[tuple[int, int]]:
    return [(row.first_index, row.last_index) for row in segments(actor, conversation_id, level)]


def for_pack(
    actor: Actor, conversation_id: UUID, before: int, limit: int = 100, policy: Policy | None = None
) -> SegmentTexts:
    with workspace(actor.workspace_id):
        row = Conversation.objects.get(pk=conversation_id)
        return segments_for_pack(conversation=row, before=before, most=limit, policy=policy or Policy())


def segment_job_row(conversation_id: UUID) -> DueJob | None:
    return DueJob.objects.filter(kind="segments", key=str(conversation_id)).first()


def run_segment_job(actor: Actor, conversation_id: UUID) -> None:
    with workspace(actor.workspace_id):
        segments_schedule_if_due(conversation=Conversation.objects.get(pk=conversation_id), policy=Policy())
    DueJob.objects.filter(kind="segments").update(due_at=timezone.now())
    run_due_jobs()


def set_excluded(actor: Actor, conversation_id: UUID, *indexes: int, excluded: bool = True) -> None:
    with workspace(actor.workspace_id):
        rows = Message.objects.filter(conversation_id=conversation_id, index__in=indexes)
        ids = list(rows.values_list("id", flat=True))
        messages_set_excluded(actor, conversation_id=conversation_id, message_ids=ids, excluded=excluded)
