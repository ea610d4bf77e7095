"""The event about the reading of a conversation, emitted in the transaction that stores what was found."""

from __future__ import annotations

from apps.common.tenancy import current_workspace_id
from apps.conversations.models import Conversation
from apps.events.publish import publish
from apps.events.types import MemoriesExtracted


def memories_announce(conversation: Conversation) -> None:
    """Announce to the owner that messages of the conversation were read, or that memories were made from it."""
    publish(
        MemoriesExtracted(
            workspace_id=current_workspace_id(), user_id=conversation.owner_id, conversation_id=conversation.id
        )
    )
