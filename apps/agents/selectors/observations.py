"""Reads of observations, without those of messages that are excluded or deleted."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q, QuerySet

from apps.accounts.actors import Actor
from apps.agents.models import AgentSession, Observation, ObservationKind
from apps.agents.records import ObservationRecord, observation_record
from apps.agents.selectors.sessions import session_named
from apps.common.pagination import Page, page_of
from apps.conversations.models import Message
from apps.engine.extraction.sessions.observations import Seen
from apps.extraction.selectors.unread import never_read

_MOST_COMPILED = 2_000
_MOST_TOOL_LINES = 30
_EXCLUDED = Q(message__excluded=True)
_OF_FILES = ("Read", "read", "read_file", "Glob", "LS", "NotebookRead", "readFile", "list_directory")


def observation_list(
    actor: Actor, name: str, *, after: str | None, limit: int, newest_first: bool = False
) -> Page[ObservationRecord]:
    """Return a page of a session's observations; a conversation that is no agent's session has none."""
    session = session_named(actor, name)
    if session is None:
        return Page([], None)
    rows = _of(session)
    if after:
        rows = rows.filter(pk__lt=UUID(after)) if newest_first else rows.filter(pk__gt=UUID(after))
    order = "-id" if newest_first else "id"
    return page_of(rows.order_by(order)[: limit + 1], limit, observation_record, lambda row: str(row.id))


def observations_compiled(session: AgentSession) -> list[Seen]:
    """Return the newest observations for the archive, oldest first, without those from when nothing was learned."""
    of_conversation = Message.objects.filter(conversation_id=session.conversation_id)
    rows = _of(session).exclude(message__in=of_conversation.filter(never_read(session.conversation_id)))
    return [_seen(row) for row in reversed(rows.order_by("-occurred_at", "-id")[:_MOST_COMPILED])]


def tool_lines(session: AgentSession) -> list[str]:
    """Return what the last tools showed, oldest first, without tools that read files."""
    kinds = (ObservationKind.TOOL, ObservationKind.TOOL_FAILURE)
    rows = _of(session).filter(kind__in=kinds, agent_id="").exclude(tool_name__in=_OF_FILES).exclude(digest="")
    newest = rows.order_by("-occurred_at", "-id")[:_MOST_TOOL_LINES]
    return [f"{row.title}\n{row.digest[:300]}" for row in reversed(newest)]


def _of(session: AgentSession) -> QuerySet[Observation]:
    return Observation.objects.filter(session=session).exclude(_EXCLUDED)


def _seen(row: Observation) -> Seen:
    return Seen(
        kind=row.kind,
        title=row.title,
        digest=row.digest,
        tool_name=row.tool_name,
        files=tuple(row.files),
        is_error=row.is_error,
        message_id=str(row.message_id or ""),
    )
