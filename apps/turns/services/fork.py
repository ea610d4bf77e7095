"""Fork a conversation, with what belongs to it in other apps."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.compaction.services.fork import context_fork
from apps.conversations.models import Conversation
from apps.conversations.records import OWNER, ConversationRecord, conversation_record
from apps.conversations.services.conversations import conversation_copy, copied_ids
from apps.extraction.services.positions import position_copy
from apps.memory.services.index.passages import messages_index_schedule
from apps.memory.services.pins import pins_copy


def conversation_fork(
    actor: Actor, *, conversation_id: UUID, through_index: int | None, title: str | None = None
) -> ConversationRecord:
    """Create a conversation with the messages up to an index, their pins, and the context as of that message.

    With None it has no messages yet: it starts over with the same settings.
    """
    copy = conversation_copy(actor, conversation_id=conversation_id, through_index=through_index, title=title)
    source = Conversation.objects.get(pk=conversation_id)
    ids = copied_ids(copy)
    pins_copy(source=source, copy=copy, ids=ids)
    context_fork(source=source, copy=copy, ids=ids)
    position_copy(source, copy)
    messages_index_schedule(copy)
    return conversation_record(copy, OWNER)
