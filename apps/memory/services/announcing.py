"""Telling of pins those who look at the conversation, and of user memory the person whose it is; after the write."""

from __future__ import annotations

from uuid import UUID

from apps.conversations.services.versions import conversation_advance
from apps.events.publish import publish
from apps.events.types import PinsChanged, UserMemoryChanged
from apps.memory.selectors.pins import pin_marks


def pins_announce(*, conversation_id: UUID) -> None:
    """That a pin was made, changed or taken away."""
    row = conversation_advance(conversation_id)
    publish(
        PinsChanged(
            conversation_id=row.id,
            version=row.state_version,
            pins=pin_marks(row.id),
        )
    )


def user_memory_announce(*, workspace_id: UUID, user_id: UUID, memory_id: UUID, deleted: bool = False) -> None:
    """That something a person wrote about themselves is new, another, or gone."""
    publish(UserMemoryChanged(workspace_id=workspace_id, user_id=user_id, memory_id=memory_id, deleted=deleted))
