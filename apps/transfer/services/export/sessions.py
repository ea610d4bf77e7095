"""An agent's session and its observations in an export."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from apps.accounts.actors import Actor
from apps.agents.models import AgentSession, Observation
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation
from apps.transfer.services.export.names import conversation_name, message_name
from apps.transfer.services.export.pages import PAGE, Line, date


def session_lines(actor: Actor, row: Conversation) -> Iterator[Line]:
    with workspace(actor.workspace_id):
        sessions = list(AgentSession.objects.filter(conversation=row))
    for session in sessions:
        yield {
            "key": f"agent_session:{session.id}",
            "kind": "agent_session",
            "conversation": conversation_name(row),
            "client": session.client,
            "session_id": session.client_session_id,
            "project": session.project,
            "cwd": session.cwd,
            "model": session.model,
            "started_at": date(session.started_at),
            "last_event_at": date(session.last_event_at),
            "ended_at": date(session.ended_at),
            "end_reason": session.end_reason,
            "prompt_count": session.prompt_count,
            "tool_count": session.tool_count,
        }


def observation_lines(actor: Actor, conversation: Conversation) -> Iterator[Line]:
    name, after = conversation_name(conversation), UUID(int=0)
    while True:
        with workspace(actor.workspace_id):
            rows = Observation.objects.filter(session__conversation_id=conversation.id, pk__gt=after)
            page = list(rows.select_related("message").order_by("id")[:PAGE])
        yield from (_observation(row, name) for row in page)
        if len(page) < PAGE:
            return
        after = page[-1].id


def _observation(row: Observation, name: str) -> Line:
    return {
        "key": f"agent_observation:{row.id}",
        "kind": "agent_observation",
        "conversation": name,
        "message": message_name(row.message),
        "event_key": row.event_key,
        "observed": row.kind,
        "title": row.title,
        "tool_name": row.tool_name,
        "digest": row.digest,
        "files": row.files,
        "is_error": row.is_error,
        "agent_id": row.agent_id,
        "details": row.details,
        "occurred_at": row.occurred_at.isoformat(),
    }
