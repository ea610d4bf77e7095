"""Agents of the tests: their payloads, and how they are sent."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.agents.models import AgentSession, Observation
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation, Message
from tests.people import key_client_of


class Agent:
    """An agent of a person, with an API key."""

    def __init__(self, actor: Actor, client: str = "claude-code") -> None:
        self.actor = actor
        self.client = client
        self.http = key_client_of(actor)

    def send(self, payload: dict[str, Any], *, recall: bool = False, status: int = 200, **headers: str) -> Any:
        query = "?recall=true" if recall else ""
        answer = self.http.post(f"/api/hooks/{self.client}{query}", payload, headers=headers)
        assert answer.status_code == status, answer.content
        return answer.json()

    def batch(self, *events: dict[str, Any], status: int = 200) -> Any:
        answer = self.http.post(f"/api/hooks/{self.client}/batch", {"events": list(events)})
        assert answer.status_code == status, answer.content
        return answer.json()["results"] if status == 200 else answer.json()


def claude(name: str, session: str = "s1", **fields: Any) -> dict[str, Any]:
    """A payload of Claude Code."""
    common = {"session_id": session, "transcript_path": f"/t/{session}.jsonl", "cwd": "/home/alice/shop"}
    return {**common, "hook_event_name": name, **fields}


def sessions_of(actor: Actor) -> list[AgentSession]:
    with workspace(actor.workspace_id):
        return list(AgentSession.objects.order_by("client_session_id"))


def session_of(actor: Actor) -> AgentSession:
    (session,) = sessions_of(actor)
    return session


def messages_of(actor: Actor) -> list[Message]:
    with workspace(actor.workspace_id):
        return list(Message.objects.order_by("conversation_id", "index"))


def observations_of(actor: Actor) -> list[Observation]:
    with workspace(actor.workspace_id):
        return list(Observation.objects.order_by("id"))


def conversation_of(actor: Actor, conversation_id: UUID) -> Conversation:
    with workspace(actor.workspace_id):
        return Conversation.objects.get(pk=conversation_id)
