"""Scheduling of runs: when a conversation pauses, by size or age, before a compaction, or because a person asks."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import current_workspace_id
from apps.conversations.models import Conversation, MessageRole
from apps.conversations.records import MessageRecord
from apps.engine.policy import Policy
from apps.extraction.records import KIND, READ_AT_ONCE
from apps.extraction.selectors.switches import OffBy, learning_of
from apps.extraction.services.positions import off_span_begin, off_span_end
from apps.jobs.services import Priority, job_request, job_request_within

MOST_AT_ONCE = 10
"""Messages of a request of which one is read at once."""


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


def read_at_once_request(actor: Actor, *, conversation: Conversation, stored: Sequence[MessageRecord]) -> None:
    """Have what the owner has just said in a chat read now, before background work; a recorded conversation waits."""
    is_own = actor.user_id == conversation.owner_id and any(one.role == MessageRole.USER for one in stored)
    if is_own and len(stored) <= MOST_AT_ONCE:
        _request_now(READ_AT_ONCE, conversation.id, Priority.PERSON)


def request_job(conversation_id: UUID, *, by_person: bool) -> None:
    """Request a run at once; a person's goes before background work."""
    _request_now(KIND, conversation_id, Priority.PERSON if by_person else Priority.AFTER_TURN)


def _request_now(kind: str, conversation_id: UUID, priority: Priority) -> None:
    now = timezone.now()
    job_request(
        workspace_id=current_workspace_id(),
        kind=kind,
        key=str(conversation_id),
        due_at=now,
        deadline_at=now,
        priority=priority,
    )
