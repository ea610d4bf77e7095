"""Events about pins for a conversation's subscribers, and about memories for their owners."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from apps.conversations.services.state_version import conversation_advance
from apps.events.publish import publish
from apps.events.types import MemoryChanged, PinsChanged, UserMemoryChanged
from apps.memory.models import MemNode
from apps.memory.selectors.pins import pin_states

MOST_NAMED = 100


def pins_announce(*, conversation_id: UUID) -> None:
    """Announce that a pin was created, changed or removed."""
    row = conversation_advance(conversation_id)
    publish(
        PinsChanged(
            conversation_id=row.id,
            version=row.state_version,
            pins=pin_states(row.id),
        )
    )


def user_memory_announce(*, workspace_id: UUID, user_id: UUID, memory_id: UUID, deleted: bool = False) -> None:
    """Announce that an item of user memory was created, changed or removed."""
    publish(UserMemoryChanged(workspace_id=workspace_id, user_id=user_id, memory_id=memory_id, deleted=deleted))


def memory_announce(*, workspace_id: UUID, rows: Sequence[MemNode], owners_before: Iterable[UUID | None] = ()) -> None:
    """Announce created, changed or removed nodes to their present and former owners."""
    ids = tuple(row.id for row in rows[:MOST_NAMED])
    for owner_id in {row.owner_id for row in rows} | set(owners_before):
        publish(MemoryChanged(workspace_id=workspace_id, user_id=owner_id, node_ids=ids))
