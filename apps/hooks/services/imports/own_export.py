"""Items of our own export: they return as they were, into conversations that an import created."""

from __future__ import annotations

from uuid import UUID

from apps.common.errors import Conflict
from apps.conversations.imports.field_checks import BadMessage
from apps.conversations.models import Conversation, Message
from apps.hooks.imports.items import ConversationItem
from apps.hooks.imports.own_items import AgentObservationItem, AgentSessionItem, PinItem, UserMemoryItem, one_of
from apps.hooks.models import AgentSession, ImportedItem, ImportStatus
from apps.hooks.records import CLIENT_KINDS, OBSERVATION_KINDS
from apps.hooks.services.endings import end_schedule
from apps.hooks.services.imports.batch import Batch
from apps.hooks.services.imports.outcomes import NotImported, Outcome
from apps.hooks.services.observations import ObservationDraft, observation_store
from apps.memory.records import PIN_CATEGORIES, USER_MEMORY_TYPES
from apps.memory.services.pins import PinDraft, pin_create
from apps.memory.services.user_memory import UserMemoryDraft, user_memory_create

OWN_ID = "continuity:"
"""Before the id of a conversation or message without an external id."""


def own_conversation_check(batch: Batch, item: ConversationItem) -> str:
    """Return the name of the conversation; raise `NotImported` if it is here already, other than by an import."""
    name = item.external_id
    here = _named(batch, name)
    if here is not None and not _is_imported(batch, here):
        raise NotImported(ImportStatus.EXISTING, "conversation_exists")
    return name


def user_memory_item_store(batch: Batch, outcome: Outcome, item: UserMemoryItem) -> None:
    draft = UserMemoryDraft(one_of(item.type, USER_MEMORY_TYPES), item.name[:120], item.content, item.is_active)
    try:
        user_memory_create(batch.actor, draft=draft)
    except Conflict:
        raise NotImported(ImportStatus.EXISTING, "known_memory") from None


def pin_store(batch: Batch, outcome: Outcome, item: PinItem) -> None:
    conversation = _conversation(batch, outcome, item.conversation)
    message_id = _message(conversation, item.message)
    draft = PinDraft(message_id, item.content, one_of(item.category, PIN_CATEGORIES))
    pin_create(batch.actor, conversation_id=conversation.id, draft=draft)


def agent_session_store(batch: Batch, outcome: Outcome, item: AgentSessionItem) -> None:
    conversation = _conversation(batch, outcome, item.conversation)
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
    conversation = _conversation(batch, outcome, item.conversation)
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
        message_id=_message(conversation, item.message),
        details=item.details,
    )
    outcome.session_id = session.id
    if not observation_store(session, draft, item.occurred_at):
        raise NotImported(ImportStatus.EXISTING, "session_recorded")


def _conversation(batch: Batch, outcome: Outcome, name: str) -> Conversation:
    """The imported conversation; what belongs to one that was here before is here too."""
    row = _named(batch, name)
    if row is None:
        raise BadMessage("unknown_conversation", "its conversation was not imported")
    outcome.conversation_id = row.id
    if not _is_imported(batch, row):
        raise NotImported(ImportStatus.EXISTING, "conversation_exists")
    return row


def _named(batch: Batch, name: str) -> Conversation | None:
    rows = Conversation.objects.filter(owner_id=batch.actor.user_id)
    own_id = _own_id(name)
    return rows.filter(external_id=name).first() or (rows.filter(pk=own_id).first() if own_id else None)


def _is_imported(batch: Batch, row: Conversation) -> bool:
    known = ImportedItem.objects.filter(user_id=batch.actor.user_id, conversation=row.id, run__isnull=False)
    return row.id in batch.conversations or known.filter(kind="conversation").exists()


def _message(conversation: Conversation, name: str) -> UUID | None:
    rows = Message.objects.filter(conversation_id=conversation.id, external_id=name) if name else Message.objects.none()
    return rows.values_list("pk", flat=True).first()


def _own_id(name: str) -> UUID | None:
    try:
        return UUID(name.removeprefix(OWN_ID)) if name.startswith(OWN_ID) else None
    except ValueError:
        return None
