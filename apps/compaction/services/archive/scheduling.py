"""Requests to write the archive of a conversation: when it pauses, and soon after its summary changed."""

from __future__ import annotations

from uuid import UUID

from apps.common.tenancy import current_workspace_id
from apps.compaction.selectors.session_archives import OBSERVATIONS, archive_parts
from apps.conversations.models import Conversation
from apps.engine.extraction.sessions.overview import SHORTEST
from apps.engine.policy import Policy
from apps.jobs.services import job_request_within

KIND = "session_archive"
OBSERVATIONS_KIND = "agent_observations"
"""Compiled by `apps.agents`, from what the tools of an agent did in the session."""
_PAUSE_S, _LATEST_S, _SOON_S = 120, 600, 2


def session_archive_schedule(conversation: Conversation, policy: Policy) -> None:
    """Schedule the archive for when the conversation pauses; called whenever a message is stored."""
    may_have_one = conversation.remembers and not conversation.temporary
    if may_have_one and conversation.message_count >= SHORTEST:
        _request(conversation.id, policy.extraction_pause_s)


def session_archive_schedule_soon(conversation_id: UUID) -> None:
    """Schedule the archive after a change of the summary."""
    _request(conversation_id, _SOON_S)


def archives_schedule_soon(conversation: Conversation) -> None:
    """Schedule the archive, and that of the observations if there is one, after a change of the messages that count."""
    session_archive_schedule_soon(conversation.id)
    if archive_parts(conversation).filter(uri__endswith=f"/{OBSERVATIONS}").exists():
        observations_archive_schedule_soon(conversation.id)


def observations_archive_schedule(conversation_id: UUID) -> None:
    """Schedule the archive of observations for when the session pauses; called whenever one is stored."""
    _request(conversation_id, _PAUSE_S, OBSERVATIONS_KIND)


def observations_archive_schedule_soon(conversation_id: UUID) -> None:
    """Schedule it after the session's end, or after a message was excluded or deleted."""
    _request(conversation_id, _SOON_S, OBSERVATIONS_KIND)


def _request(conversation_id: UUID, in_s: float, kind: str = KIND) -> None:
    workspace_id = current_workspace_id()
    job_request_within(in_s, max(in_s, _LATEST_S), workspace_id=workspace_id, kind=kind, key=str(conversation_id))
