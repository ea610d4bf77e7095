"""Idempotent replay: a message that is sent again, as after a lost response, gets the reply it already has."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from uuid import UUID

from apps.common.errors import Conflict
from apps.conversations.models import Message, MessageRole, MessageStatus
from apps.conversations.records import MessageRecord, message_record
from apps.conversations.services.replies import Ending, TurnRunning
from apps.turns.services.reply_writer import ReplyWriter, reply_writer_of

ANSWERED = (MessageRole.USER, MessageRole.TOOL)


@dataclass(frozen=True, slots=True)
class StoredReply:
    """A stored reply, replayed like a live one, but without its pack and the detail of a failure."""

    message: MessageRecord
    reply_id: UUID
    reply_index: int
    text: str
    ending: Ending
    built: None = None
    detail: str = ""

    async def follow(self) -> AsyncIterator[str]:
        if self.text:
            yield self.text

    def result(self) -> Ending:
        return self.ending


def replay_reply(conversation_id: UUID, external_id: str | None) -> ReplyWriter | StoredReply | None:
    """Return the reply to the message with this `external_id`, live if this process writes it; None if it has none.

    The caller must have locked the conversation's row, so that a running reply cannot end concurrently.
    """
    known = Message.objects.filter(conversation_id=conversation_id, external_id=external_id)
    message = known.first() if external_id else None
    if message is None:
        return None
    if message.role not in ANSWERED:
        raise Conflict("This external_id belongs to a message that gets no reply.", code="external_id_taken")
    reply = _reply_to(message)
    if reply is None:
        return None
    if reply.status != MessageStatus.STREAMING:
        ending = Ending(MessageStatus(reply.status), reply.error_code)
        return StoredReply(message_record(message), reply.id, reply.index, reply.content, ending)
    if (writer := reply_writer_of(reply.id)) is None:
        raise TurnRunning
    return writer


def _reply_to(message: Message) -> Message | None:
    """Return the assistant message that directly follows; a retried reply is excluded and does not count."""
    later = Message.objects.filter(conversation_id=message.conversation_id, index__gt=message.index, excluded=False)
    following = later.exclude(role=MessageRole.SYSTEM).order_by("index").first()
    return following if following is not None and following.role == MessageRole.ASSISTANT else None
