"""Storing of observations."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.agents.models import AgentSession, Observation
from apps.compaction.services.archive.scheduling import observations_archive_schedule
from apps.conversations.services.events import conversation_announce
from apps.engine.language.similarity import normalized

LONGEST_DIGEST = 2_000
_LONGEST_TITLE, _LONGEST_TOOL_NAME, _LONGEST_AGENT_ID = 200, 200, 200


@dataclass(frozen=True, slots=True)
class ObservationDraft:
    """An observation to store; its texts are cleaned and short."""

    kind: str
    key: str
    title: str
    digest: str = ""
    tool_name: str = ""
    files: tuple[str, ...] = ()
    is_error: bool = False
    agent_id: str = ""
    message_id: UUID | None = None
    details: dict[str, Any] = field(default_factory=dict)


def is_observed(session: AgentSession, key: str) -> bool:
    """Whether the session has an observation of this key. The caller has locked the session."""
    return Observation.objects.filter(session=session, event_key=key).exists()


def observation_store(session: AgentSession, draft: ObservationDraft, at: datetime, *, announce: bool = True) -> None:
    """Store a new observation, and announce it if no message of it is. The caller has locked the session.

    Imports, which store many, announce the conversation themselves.
    """
    Observation.objects.create(
        session=session,
        event_key=draft.key,
        kind=draft.kind,
        title=normalized(draft.title)[:_LONGEST_TITLE],
        digest=draft.digest[:LONGEST_DIGEST],
        tool_name=draft.tool_name[:_LONGEST_TOOL_NAME],
        files=list(draft.files),
        is_error=draft.is_error,
        agent_id=draft.agent_id[:_LONGEST_AGENT_ID],
        message_id=draft.message_id,
        details=draft.details,
        occurred_at=at,
    )
    observations_archive_schedule(session.conversation_id)
    if announce and draft.message_id is None:
        conversation_announce(conversation_id=session.conversation_id)
