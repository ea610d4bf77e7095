"""The event about memories found in a conversation, emitted in the transaction that stores them."""

from __future__ import annotations

from apps.common.tenancy import current_workspace_id
from apps.conversations.models import Conversation
from apps.events.publish import publish
from apps.events.types import MemoriesExtracted


def memories_announce(conversation: Conversation) -> None:
    """Announce to the owner that candidates of the conversation were stored."""
    publish(
        MemoriesExtracted(
            workspace_id=current_workspace_id(), user_id=conversation.owner_id, conversation_id=conversation.id
        )
    )
