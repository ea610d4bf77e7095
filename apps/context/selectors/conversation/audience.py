"""The audience of a conversation as its page shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from apps.accounts.actors import Actor
from apps.context.selectors.private_replies import private_reply_count
from apps.conversations.records import ReaderRecord
from apps.conversations.selectors.access import conversation_access
from apps.conversations.selectors.audience import audience_of, other_readers

MOST_READERS = 20


@dataclass(frozen=True, slots=True)
class AudienceRecord:
    """Who else reads a conversation, at most `MOST_READERS`, and what that means for the actor's private memories.

    `private_replies` counts the replies that used private sources; None for those who do not own the conversation.
    """

    readers: Sequence[ReaderRecord]
    has_more: bool
    uses_private_memory: bool
    private_replies: int | None


def conversation_audience(actor: Actor, conversation_id: UUID) -> AudienceRecord:
    """Return the audience of a conversation that the actor may read."""
    row = conversation_access(actor, conversation_id)
    readers = other_readers(actor, row, most=MOST_READERS + 1)
    return AudienceRecord(
        readers=readers[:MOST_READERS],
        has_more=len(readers) > MOST_READERS,
        uses_private_memory=audience_of(actor, row).allows_private_memories,
        private_replies=private_reply_count(row.id) if row.owner_id == actor.user_id else None,
    )
