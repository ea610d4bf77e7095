"""A message that comes a second time, as from a client that lost the first answer: one message has one reply."""

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
    """A stored reply, told as its owner once told it; how its pack was built is not known any more, nor what more there
    was to say of a failure."""

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


def reply_again(conversation_id: UUID, external_id: str | None) -> ReplyWriter | StoredReply | None:
    """The reply to the message of that name, while it is written here or as it is stored; None if it has none yet.

    Inside a unit that holds the conversation's row: a reply that is being written does not end meanwhile.
    """
    known = Message.objects.filter(conversation_id=conversation_id, external_id=external_id)
    message = known.first() if external_id else None
    if message is None:
        return None
    if message.role not in ANSWERED:
        raise Conflict("This external_id names a message that nobody answers.", code="external_id_taken")
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
    """The model's message that follows, if nobody else said anything in between. One that was tried again is out."""
    later = Message.objects.filter(conversation_id=message.conversation_id, index__gt=message.index, excluded=False)
    following = later.exclude(role=MessageRole.SYSTEM).order_by("index").first()
    return following if following is not None and following.role == MessageRole.ASSISTANT else None
