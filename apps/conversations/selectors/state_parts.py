"""The parts of a conversation's live state that its own tables hold."""

from __future__ import annotations

from collections.abc import Iterable

from apps.conversations.models import Conversation, ConversationShare, Message
from apps.conversations.records import MessageRecord, message_state
from apps.events.state_parts import NEWEST_MESSAGES, ConversationState, Counts, MessageState, TurnState


def conversation_state(row: Conversation) -> ConversationState:
    shares = ConversationShare.objects.filter(conversation_id=row.id).count()
    return ConversationState(row.title, row.archived_at, row.version, shares, row.private_memory_when_shared)


def counts_of(row: Conversation) -> Counts:
    return Counts(row.message_count, row.token_total, row.excluded_tokens, row.live_count, row.live_tokens)


def turn_state(row: Conversation) -> TurnState | None:
    if row.turn_reply is None:
        return None
    reply = Message.objects.defer("content", "parts").get(conversation_id=row.id, pk=row.turn_reply)
    return TurnState(reply.id, reply.index, reply.created_at)


def newest_messages(row: Conversation) -> list[Message]:
    """Return the newest messages without their content, oldest first."""
    rows = Message.objects.filter(conversation_id=row.id, index__gte=row.message_count - NEWEST_MESSAGES)
    return list(rows.defer("content", "parts").order_by("index"))


def states_among_newest(row: Conversation, rows: Iterable[Message]) -> tuple[MessageState, ...]:
    """Return the states of those of the given messages that are among the newest."""
    return message_states(message for message in rows if message.index >= row.message_count - NEWEST_MESSAGES)


def message_states(rows: Iterable[Message]) -> tuple[MessageState, ...]:
    return tuple(_mark(row, message_state(row)) for row in rows)


def record_states(row: Conversation, records: Iterable[MessageRecord]) -> tuple[MessageState, ...]:
    """Return the states of those of the given messages that are among the newest."""
    first = row.message_count - NEWEST_MESSAGES
    return tuple(_mark(record, record.state) for record in records if record.index >= first)


def _mark(message: Message | MessageRecord, state: str) -> MessageState:
    return MessageState(
        id=message.id,
        index=message.index,
        role=message.role,
        status=message.status,
        state=state,
        token_count=message.token_count,
        error_code=message.error_code,
        used_count=message.used_count,
    )
