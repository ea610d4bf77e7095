"""Opening of agent sessions: the row, its conversation, and what each event says about the session.

Events may arrive late and in any order: times, directories and the end are those of the event that happened first or
last, whenever it arrives.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import PurePosixPath
from uuid import UUID

from django.utils import timezone

from apps.accounts.actors import Actor, require_write
from apps.accounts.time_zones import utc_offset_of, where_written
from apps.agents.cleaning import cleaned
from apps.agents.clients.event import AgentEvent, EventKind
from apps.agents.models import AgentSession
from apps.agents.records import Delivery
from apps.agents.selectors.sessions import session_lock, session_of_conversation
from apps.agents.services.endings import end_schedule
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import (
    conversation_is_deleted,
    conversation_lock,
    conversation_lock_if_there,
)
from apps.conversations.services.conversations import conversation_create
from apps.conversations.services.events import conversation_announce, lists_announce
from apps.engine.language.similarity import normalized
from apps.engine.messages.parsing import clipped

LONGEST_TITLE = 80
_LONGEST_PROJECT, _LONGEST_CWD, _LONGEST_MODEL, _LONGEST_REASON = 200, 1_000, 120, 60


def session_open(actor: Actor, *, delivery: Delivery, event: AgentEvent) -> tuple[AgentSession, bool] | None:
    """Lock the event's session, create it if it is new, and note the event; return it and whether it changed.

    None if its user deleted it: later events do not bring it back.
    """
    require_write(actor)
    at = event_time(delivery, event)
    row = session_lock(actor.user_id, delivery.client, event.session_id)
    is_new = row is None
    if row is None:
        conversation = _conversation(actor, delivery.client, event)
        if conversation is None:
            return None
        row = _create(actor, delivery, event, conversation, at)
    elif conversation_lock_if_there(row.conversation_id) is None:
        # Its user deleted it after the session's row was read.
        return None
    changed = session_note(row, event, at)
    end_schedule(row)
    return row, changed or is_new


def event_time(delivery: Delivery, event: AgentEvent) -> datetime:
    """When the event happened by the agent's clock, which may not be ahead of this one, in the zone of its machine."""
    now = timezone.now()
    at = min(event.at or delivery.recorded_at or now, now)
    return where_written(at, utc_offset_of(delivery.recorded_at or now), UTC)


def session_note(row: AgentSession, event: AgentEvent, at: datetime) -> bool:
    """Store what an event says about its session; return whether that is more than its arrival."""
    before = _known(row)
    if event.cwd and (at < row.started_at or not row.cwd):
        row.project = project_of(event.cwd)
    if event.cwd and (at >= row.last_event_at or not row.cwd):
        row.cwd = event.cwd[:_LONGEST_CWD]
    # Some agents name the model only when a session starts.
    if event.model and (at >= row.last_event_at or not row.model):
        row.model = event.model[:_LONGEST_MODEL]
    row.started_at = min(row.started_at, at)
    _note_end(row, event, at)
    row.last_event_at = max(row.last_event_at, at)
    row.received_at = timezone.now()
    row.save()
    return _known(row) != before


def title_set(conversation_id: UUID, text: str) -> None:
    """Name the session's conversation after its first prompt, unless it has a name."""
    conversation = Conversation.objects.get(pk=conversation_id)
    title = clipped(normalized(text), LONGEST_TITLE)
    if conversation.title or not title:
        return
    conversation = conversation_lock(conversation.id)
    conversation.title = title
    conversation.version += 1
    conversation.save(update_fields=["title", "version", "updated_at"])
    conversation_announce(conversation_id=conversation.id)
    lists_announce(conversation=conversation)


def project_of(cwd: str) -> str:
    """The name of the directory.

    >>> project_of("/home/ann/shop/"), project_of("C:\\\\work\\\\shop")
    ('shop', 'shop')
    """
    return PurePosixPath(cwd.replace("\\", "/")).name[:_LONGEST_PROJECT]


def _known(row: AgentSession) -> tuple[object, ...]:
    return (row.project, row.cwd, row.model, row.started_at, row.last_event_at, row.ended_at, row.end_reason)


def _note_end(row: AgentSession, event: AgentEvent, at: datetime) -> None:
    """An end counts unless the session went on after it; whatever happened after an end reopens the session."""
    if event.kind is EventKind.END and at >= row.last_event_at:
        row.ended_at, row.end_reason = at, cleaned(event.reason)[:_LONGEST_REASON]
    elif event.kind is not EventKind.END and row.ended_at is not None and at > row.ended_at:
        row.ended_at, row.end_reason = None, ""


def _conversation(actor: Actor, client: str, event: AgentEvent) -> Conversation | None:
    """The conversation of the agent's id; another name for it where another agent's session has that one."""
    own = Conversation.objects.filter(owner_id=actor.user_id, external_id=event.session_id).first()
    is_taken = own is not None and session_of_conversation(own.id) is not None
    name = f"{client}:{event.session_id}"[:200] if is_taken else event.session_id
    if conversation_is_deleted(actor, name):
        return None
    title = normalized(cleaned(event.title))[:LONGEST_TITLE] if event.kind is EventKind.START else ""
    made = conversation_create(actor, title=title, external_id=name)
    return Conversation.objects.get(pk=made.id)


def _create(
    actor: Actor, delivery: Delivery, event: AgentEvent, conversation: Conversation, at: datetime
) -> AgentSession:
    return AgentSession.objects.create(
        user_id=actor.user_id,
        conversation=conversation,
        client=delivery.client,
        client_session_id=event.session_id,
        project=project_of(event.cwd),
        cwd=event.cwd[:_LONGEST_CWD],
        model=event.model[:_LONGEST_MODEL],
        started_at=at,
        last_event_at=at,
        received_at=timezone.now(),
    )
