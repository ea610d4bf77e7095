"""Looking at segments, and having them made."""

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
from apps.turns.services.messages import messages_leave_out
from tests.compaction.work import work_off

Told = dict[Segment, SegmentText]


def segments(actor: Actor, talk: UUID, level: int = 1) -> list[SegmentSummary]:
    with workspace(actor.workspace_id):
        return list(SegmentSummary.objects.filter(conversation_id=talk, level=level).order_by("ordinal"))


def spans(actor: Actor, talk: UUID, level: int = 1) -> list[tuple[int, int]]:
    return [(row.first_index, row.last_index) for row in segments(actor, talk, level)]


def for_pack(actor: Actor, talk: UUID, before: int, most: int = 100, policy: Policy | None = None) -> Told:
    with workspace(actor.workspace_id):
        row = Conversation.objects.get(pk=talk)
        return segments_for_pack(conversation=row, before=before, most=most, policy=policy or Policy())


def job_of(talk: UUID) -> DueJob | None:
    return DueJob.objects.filter(kind="segments", key=str(talk)).first()


def run_the_job(actor: Actor, talk: UUID) -> None:
    with workspace(actor.workspace_id):
        segments_schedule_if_due(conversation=Conversation.objects.get(pk=talk), policy=Policy())
    DueJob.objects.filter(kind="segments").update(due_at=timezone.now())
    work_off()


def leave_out(actor: Actor, talk: UUID, *indexes: int, excluded: bool = True) -> None:
    with workspace(actor.workspace_id):
        rows = Message.objects.filter(conversation_id=talk, index__in=indexes)
        ids = list(rows.values_list("id", flat=True))
        messages_leave_out(actor, conversation_id=talk, message_ids=ids, excluded=excluded)
