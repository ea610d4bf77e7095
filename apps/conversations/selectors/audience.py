"""The audience of a conversation, as far as it decides what its replies may use."""

from __future__ import annotations

from dataclasses import dataclass

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.conversations.models import Conversation
from apps.conversations.records import OWNER, ReaderRecord
from apps.conversations.selectors.access import active_shares


@dataclass(frozen=True, slots=True)
class Audience:
    """Which of the actor's private sources those who read a conversation may see the content of.

    The conversation itself and the workspace's memories are always allowed.
    """

    allows_private_memories: bool
    allows_other_conversations: bool


EVERYBODY = Audience(allows_private_memories=False, allows_other_conversations=False)
"""An audience that may see no private source of the actor."""
ONESELF = Audience(allows_private_memories=True, allows_other_conversations=True)
"""Nobody else reads it, or the owner allows that everybody does."""


def audience_of(actor: Actor, conversation: Conversation) -> Audience:
    """Return what the actor's turns may use in a conversation that the actor may read.

    Only the owner's turns use private sources: where nobody else reads the conversation, or where the owner allows it
    for this one. Other conversations are also not quoted where somebody else could write once, because what they wrote
    may be meant to draw something out.
    """
    if conversation.owner_id != actor.user_id:
        return EVERYBODY
    if conversation.private_memory_when_shared:
        return ONESELF
    is_alone = not active_shares().filter(conversation_id=conversation.id).exists()
    return Audience(is_alone, is_alone and not conversation.others_could_write)


def other_readers(actor: Actor, conversation: Conversation, *, most: int) -> list[ReaderRecord]:
    """Return at most `most` other people who may read the conversation: the owner, then the oldest shares."""
    shares = active_shares().filter(conversation_id=conversation.id).exclude(user_id=actor.user_id)
    owner = [] if conversation.owner_id == actor.user_id else [_reader(conversation.owner, OWNER)]
    rows = shares.select_related("user").order_by("id")[: most - len(owner)]
    return [*owner, *(_reader(row.user, row.access) for row in rows)]


def _reader(user: User, access: str) -> ReaderRecord:
    return ReaderRecord(user.id, user.name or user.email, access)
