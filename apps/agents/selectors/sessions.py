"""Reads of agent sessions, by conversation or by the agent's own id, and locks for their writers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from uuid import UUID

from django.db import connection
from django.db.models import Exists, OuterRef, Q

from apps.accounts.actors import Actor
from apps.agents.models import AgentSession
from apps.agents.records import AgentRecord, agent_record
from apps.common.tenancy import current_workspace_id
from apps.conversations.selectors.access import conversation_named

AGENT, CHAT = "agent", "chat"
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"


def session_lock(user_id: UUID, client: str, client_session_id: str) -> AgentSession | None:
    """Lock a session until the unit of work ends, whether or not it has a row yet; return the row, if any."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [f"agent session {current_workspace_id()} {user_id} {client} {client_session_id}"])
    rows = AgentSession.objects.filter(user_id=user_id, client=client, client_session_id=client_session_id)
    return rows.first()


def session_of_conversation(conversation_id: UUID) -> AgentSession | None:
    return AgentSession.objects.filter(conversation_id=conversation_id).first()


def conversations_of_kind(kind: str | None) -> Q:
    """Return a condition on conversations: those of agents, all others, or for None no condition."""
    if kind is None:
        return Q()
    is_agents = Exists(AgentSession.objects.filter(conversation_id=OuterRef("pk")))
    return Q(is_agents) if kind == AGENT else Q(~is_agents)


def agents_of(conversation_ids: Iterable[UUID]) -> Mapping[UUID, AgentRecord]:
    """Return the agent sessions of conversations that the reader may read; plain conversations are absent."""
    rows = AgentSession.objects.filter(conversation_id__in=list(conversation_ids))
    return {row.conversation_id: agent_record(row) for row in rows}


def session_named(actor: Actor, name: str) -> AgentSession | None:
    """Return the agent session of a readable conversation, by its id or external id; None if it has none."""
    return session_of_conversation(conversation_named(actor, name).id)
