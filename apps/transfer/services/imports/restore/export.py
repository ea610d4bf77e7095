"""Items of our own export: they return as they were, into conversations that an import created."""

from __future__ import annotations

from apps.agents.models import AgentSession
from apps.agents.records import CLIENT_KINDS, OBSERVATION_KINDS, without_instructions
from apps.agents.selectors.sessions import session_of_conversation
from apps.agents.services.endings import end_schedule
from apps.agents.services.observations import ObservationDraft, is_observed, observation_store
from apps.conversations.field_checks import BadMessage
from apps.memory.models import PinnedMemory
from apps.memory.records import PIN_CATEGORIES
from apps.memory.services.pins import PinDraft, pin_create
from apps.transfer.formats.own_items import AgentObservationItem, AgentSessionItem, PinItem, one_of
from apps.transfer.models import ImportStatus
from apps.transfer.services.imports.batch import Batch
from apps.transfer.services.imports.outcomes import NotImported, Outcome
from apps.transfer.services.imports.restore.conversations import message_named, own_conversation_of


def pin_store(batch: Batch, outcome: Outcome, item: PinItem) -> None:
    conversation = own_conversation_of(batch, outcome, item.conversation)
    message_id = message_named(conversation, item.message)
    draft = PinDraft(message_id, item.content, one_of(item.category, PIN_CATEGORIES))
    pin = pin_create(batch.actor, conversation_id=conversation.id, draft=draft)
    if item.pinned_at:
        PinnedMemory.objects.filter(pk=pin.id).update(pinned_at=item.pinned_at)


def agent_session_store(batch: Batch, outcome: Outcome, item: AgentSessionItem) -> None:
    conversation = own_conversation_of(batch, outcome, item.conversation)
    known = session_of_conversation(conversation.id)
    if known is not None:
        outcome.session_id = known.id
        raise NotImported(ImportStatus.EXISTING, "session_recorded")
    row, is_new = AgentSession.objects.get_or_create(
        user_id=batch.actor.user_id,
        client=one_of(item.client, CLIENT_KINDS),
        client_session_id=item.session_id,
        defaults={
            "conversation_id": conversation.id,
            "project": item.project,
            "cwd": item.cwd,
            "model": item.model,
            "started_at": item.started_at,
            "last_event_at": item.last_event_at,
            "received_at": item.last_event_at,
            "ended_at": item.ended_at,
            "end_reason": item.end_reason,
            "prompt_count": item.prompt_count,
            "tool_count": item.tool_count,
        },
    )
    outcome.session_id = row.id
    if not is_new:
        raise NotImported(ImportStatus.EXISTING, "session_recorded")
    if row.ended_at is None:
        end_schedule(row)


def agent_observation_store(batch: Batch, outcome: Outcome, item: AgentObservationItem) -> None:
    conversation = own_conversation_of(batch, outcome, item.conversation)
    session = AgentSession.objects.filter(conversation_id=conversation.id).first()
    if session is None:
        raise BadMessage("unknown_session", "its session was not imported")
    draft = ObservationDraft(
        one_of(item.observed, OBSERVATION_KINDS),
        item.event_key,
        item.title,
        item.digest,
        tool_name=item.tool_name,
        files=item.files,
        is_error=item.is_error,
        agent_id=item.agent_id,
        message_id=message_named(conversation, item.message),
        details=without_instructions(item.details),
    )
    outcome.session_id = session.id
    if is_observed(session, item.event_key):
        raise NotImported(ImportStatus.EXISTING, "session_recorded")
    observation_store(session, draft, item.occurred_at, announce=False)
