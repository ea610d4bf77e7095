"""The end of an agent's session: reported, or inferred when no event arrived for a while; and what follows from it."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from apps.accounts.selectors import policy_for_workspace
from apps.agents.models import AgentSession
from apps.agents.selectors.sessions import session_lock, session_of_conversation
from apps.common.tenancy import current_workspace_id, workspace
from apps.compaction.services.archive.scheduling import (
    observations_archive_schedule_soon,
    session_archive_schedule_soon,
)
from apps.conversations.selectors.access import conversation_lock
from apps.conversations.services.events import conversation_announce, lists_announce
from apps.extraction.services.scheduling import extraction_schedule_if_due
from apps.jobs.services import Lease, RescheduleJob, job_request, lease_fence

KIND = "agent_session_end"
INACTIVE_AFTER_S = 900
INACTIVE = "inactive"
_LATEST = timedelta(days=30)


def end_schedule(session: AgentSession) -> None:
    """Request the inference for when the session has been inactive; every event delays it."""
    if session.ended_at is not None:
        return
    now = timezone.now()
    due = now + timedelta(seconds=INACTIVE_AFTER_S)
    key = str(session.conversation_id)
    job_request(workspace_id=current_workspace_id(), kind=KIND, key=key, due_at=due, deadline_at=now + _LATEST)


def end_infer(lease: Lease) -> None:
    """End the session of the job's conversation if it is still inactive, or look again when it may be."""
    with workspace(lease.workspace_id):
        found = session_of_conversation(UUID(lease.key))
        session = session_lock(found.user_id, found.client, found.client_session_id) if found else None
        if session is None or session.ended_at is not None:
            return
        conversation_lock(session.conversation_id)
        lease_fence(lease)
        active_until = session.received_at + timedelta(seconds=INACTIVE_AFTER_S)
        left = (active_until - timezone.now()).total_seconds()
        if left > 0:
            raise RescheduleJob(left)
        session.ended_at, session.end_reason = session.last_event_at, INACTIVE
        session.save(update_fields=["ended_at", "end_reason"])
        end_follow(session.conversation_id)


def end_follow(conversation_id: UUID) -> None:
    """Request what a finished session is read for: memories, the profile, and its archive."""
    conversation = conversation_lock(conversation_id)
    extraction_schedule_if_due(conversation=conversation, policy=policy_for_workspace(), at_once=True)
    session_archive_schedule_soon(conversation_id)
    observations_archive_schedule_soon(conversation_id)
    conversation_announce(conversation_id=conversation_id)
    lists_announce(conversation=conversation)
