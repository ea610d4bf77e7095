"""Live events of conversations. Each function increments the state version, unless the write has done so already.

Call them after the write, in its transaction, because events carry the present state and not the change.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from django.db.models import QuerySet

from apps.common.tenancy import current_workspace_id
from apps.conversations.models import Conversation, Message
from apps.conversations.records import MessageRecord
from apps.conversations.selectors.state_parts import (
    conversation_state,
    counts_of,
    record_states,
    states_among_newest,
    turn_state,
)
from apps.conversations.services.replies import Written
from apps.conversations.services.state_version import conversation_advance
from apps.events.publish import publish
from apps.events.state_parts import NEWEST_MESSAGES, MessageState, TurnState
from apps.events.types import (
    ConversationChanged,
    ConversationsChanged,
    MessagesExcluded,
    MessagesStored,
    MessageUpdated,
    TurnFinished,
    TurnStarted,
)


def messages_announce(*, conversation_id: UUID, stored: Sequence[MessageRecord]) -> None:
    """Announce the messages that this transaction stored, in their order."""
    row = conversation_advance(conversation_id)
    _publish_stored(row, stored[0].index, stored[-1].index, record_states(row, stored))


def message_range_announce(*, conversation_id: UUID, first_index: int, last_index: int) -> None:
    """Announce all messages from the first to the last index."""
    row = conversation_advance(conversation_id)
    newest = _rows(row).filter(index__range=(max(first_index, row.message_count - NEWEST_MESSAGES), last_index))
    _publish_stored(row, first_index, last_index, states_among_newest(row, newest))


def _publish_stored(row: Conversation, first: int, last: int, states: tuple[MessageState, ...]) -> None:
    publish(
        MessagesStored(
            conversation_id=row.id,
            version=row.state_version,
            first_index=first,
            last_index=last,
            messages=states,
            counts=counts_of(row),
        )
    )


def reply_announce(written: Written) -> None:
    """Announce the reply's new text and counts. The write has incremented the version."""
    row = written.conversation
    publish(
        MessageUpdated(
            conversation_id=row.id,
            version=row.state_version,
            messages=states_among_newest(row, [written.reply]),
            counts=counts_of(row),
        )
    )


def exclusions_announce(*, conversation_id: UUID, message_ids: Sequence[UUID], excluded: bool) -> None:
    """Announce that messages were excluded or included."""
    row = conversation_advance(conversation_id)
    rows = _rows(row).filter(pk__in=message_ids)
    publish(
        MessagesExcluded(
            conversation_id=row.id,
            version=row.state_version,
            message_ids=tuple(message_ids),
            excluded=excluded,
            messages=states_among_newest(row, rows),
            counts=counts_of(row),
        )
    )


def turn_announce_start(*, conversation: Conversation, said: MessageRecord, reply: MessageRecord) -> None:
    """Announce that a reply is being written, after the user's message and the reply's row were stored.

    The row is the one returned when the reply was opened, which incremented the version.
    """
    publish(
        TurnStarted(
            conversation_id=conversation.id,
            version=conversation.state_version,
            turn=TurnState(reply.id, reply.index, reply.created_at),
            messages=record_states(conversation, (said, reply)),
            counts=counts_of(conversation),
        )
    )


def turn_announce_end(written: Written) -> None:
    """Announce how the reply ended, after the turn was released. The write has incremented the version."""
    row, reply = written.conversation, written.reply
    publish(
        TurnFinished(
            conversation_id=row.id,
            version=row.state_version,
            reply_id=reply.id,
            status=reply.status,
            error_code=reply.error_code,
            turn=turn_state(row),
            messages=states_among_newest(row, [reply]),
            counts=counts_of(row),
        )
    )


def conversation_announce(*, conversation_id: UUID) -> None:
    """Announce a change of the title, the archived state, the shares or what replies may use."""
    row = conversation_advance(conversation_id)
    publish(
        ConversationChanged(
            conversation_id=row.id,
            version=row.state_version,
            conversation=conversation_state(row),
        )
    )


def lists_announce(*, conversation: Conversation, readers: Collection[UUID] = ()) -> None:
    """Announce a change in the lists of the owner and of the given readers."""
    for user_id in {conversation.owner_id, *readers}:
        publish(ConversationsChanged(workspace_id=current_workspace_id(), user_id=user_id))


def _rows(row: Conversation) -> QuerySet[Message]:
    """Return the messages without their content, which these events do not carry."""
    return Message.objects.filter(conversation_id=row.id).defer("content", "parts").order_by("index")
