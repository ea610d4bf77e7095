"""Scheduling of runs: when a conversation pauses, by size or age, before a compaction, or because a person asks."""

from __future__ import annotations

from uuid import UUID

from django.utils import timezone

from apps.common.tenancy import current_workspace_id
from apps.conversations.models import Conversation
from apps.engine.policy import Policy
from apps.extraction.selectors.switches import OffBy, learning_of
from apps.extraction.services.positions import off_span_begin, off_span_end
from apps.jobs.services import Priority, job_request, job_request_within

KIND = "extraction"


def extraction_schedule_if_due(
    *, conversation: Conversation, policy: Policy, first_index: int | None = None, at_once: bool = False
) -> bool:
    """Schedule a run unless it is switched off; return whether memories are made. The caller has locked the row.

    Called whenever messages are stored, with the index of the first. Those stored while it is switched off are noted,
    and never read. `at_once`: because the messages are about to be compacted.
    """
    learning = learning_of(conversation, policy)
    if learning.off_by is not None:
        if first_index is not None and not learning.off_noted and learning.off_by is not OffBy.TEMPORARY:
            off_span_begin(conversation.id, first_index)
        return False
    if learning.off_noted:
        off_span_end(conversation.id, conversation.message_count if first_index is None else first_index)
    if at_once or learning.unread_tokens > policy.extraction_max_unread_tokens:
        request_job(conversation.id, by_person=False)
    else:
        job_request_within(
            policy.extraction_pause_s,
            policy.extraction_max_wait_s,
            workspace_id=current_workspace_id(),
            kind=KIND,
            key=str(conversation.id),
        )
    return True


def request_job(conversation_id: UUID, *, by_person: bool) -> None:
    """Request a run at once; a person's goes before background work."""
    now = timezone.now()
    job_request(
        workspace_id=current_workspace_id(),
        kind=KIND,
        key=str(conversation_id),
        due_at=now,
        deadline_at=now,
        priority=Priority.PERSON if by_person else Priority.AFTER_TURN,
    )
