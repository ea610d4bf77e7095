"""Storing of observations, each once."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.compaction.services.archive.scheduling import observations_archive_schedule
from apps.engine.language.similarity import normalized
from apps.hooks.models import AgentSession, Observation

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


def observation_store(session: AgentSession, draft: ObservationDraft, at: datetime) -> bool:
    """Store the observation; return False if the session has it already. The caller has locked the session."""
    _, is_new = Observation.objects.get_or_create(
        session=session,
        event_key=draft.key,
        defaults={
            "kind": draft.kind,
            "title": normalized(draft.title)[:_LONGEST_TITLE],
            "digest": draft.digest[:LONGEST_DIGEST],
            "tool_name": draft.tool_name[:_LONGEST_TOOL_NAME],
            "files": list(draft.files),
            "is_error": draft.is_error,
            "agent_id": draft.agent_id[:_LONGEST_AGENT_ID],
            "message_id": draft.message_id,
            "details": draft.details,
            "occurred_at": at,
        },
    )
    if is_new:
        observations_archive_schedule(session.conversation_id)
    return is_new
