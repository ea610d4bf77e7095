"""Telling of pins those who look at the conversation, and of memories those whose they are; after the write."""

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
    """That a pin was made, changed or taken away."""
    row = conversation_advance(conversation_id)
    publish(
        PinsChanged(
            conversation_id=row.id,
            version=row.state_version,
            pins=pin_states(row.id),
        )
    )


def user_memory_announce(*, workspace_id: UUID, user_id: UUID, memory_id: UUID, deleted: bool = False) -> None:
    """That something a person wrote about themselves is new, another, or gone."""
    publish(UserMemoryChanged(workspace_id=workspace_id, user_id=user_id, memory_id=memory_id, deleted=deleted))


def memory_announce(*, workspace_id: UUID, rows: Sequence[MemNode], owners_before: Iterable[UUID | None] = ()) -> None:
    """That nodes are new, others, or gone: to everybody whose they are, or were."""
    ids = tuple(row.id for row in rows[:MOST_NAMED])
    for owner_id in {row.owner_id for row in rows} | set(owners_before):
        publish(MemoryChanged(workspace_id=workspace_id, user_id=owner_id, node_ids=ids))
