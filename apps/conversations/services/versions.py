"""The version of a conversation's live state: up by one with every change that somebody who looks at it would see."""

from __future__ import annotations

from uuid import UUID

from apps.conversations.models import Conversation

# Row-level security binds it to the unit's workspace.
_NEXT = "UPDATE conversations_conversation SET state_version = state_version + 1 WHERE id = %s RETURNING *"


def state_advance(conversation_id: UUID) -> int:
    """The next version, taken in the caller's transaction; it holds the conversation's row until the end of it."""
    version: int = conversation_advance(conversation_id).state_version
    return version


def conversation_advance(conversation_id: UUID) -> Conversation:
    """The same, and the row as it is now."""
    row: Conversation = Conversation.objects.raw(_NEXT, [conversation_id])[0]
    return row
