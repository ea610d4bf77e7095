"""User memory of our own export: what a person wrote for all chats, if they say that it is their own."""

from __future__ import annotations

from apps.common.errors import Conflict
from apps.memory.records import USER_MEMORY_TYPES
from apps.memory.services.user_memory import UserMemoryDates, UserMemoryDraft, user_memory_create
from apps.transfer.formats.items import MemoryItem
from apps.transfer.formats.own_items import UserMemoryItem, one_of
from apps.transfer.models import ImportStatus
from apps.transfer.services.imports.batch import Batch
from apps.transfer.services.imports.memories import memory_store
from apps.transfer.services.imports.outcomes import NOT_CONFIRMED, NotImported, Outcome


def user_memory_item_store(batch: Batch, outcome: Outcome, item: UserMemoryItem) -> None:
    """Store what a person wrote for all chats; from a file that nobody confirmed it becomes a memory that waits."""
    if not batch.confirmed or outcome.node_id:
        _propose(batch, outcome, item)
        return
    draft = UserMemoryDraft(one_of(item.type, USER_MEMORY_TYPES), item.name[:120], item.content, item.is_active)
    dates = UserMemoryDates(item.created_at, item.updated_at) if item.created_at and item.updated_at else None
    try:
        user_memory_create(batch.actor, draft=draft, dates=dates)
    except Conflict:
        raise NotImported(ImportStatus.EXISTING, "known_memory") from None


def _propose(batch: Batch, outcome: Outcome, item: UserMemoryItem) -> None:
    if not item.is_active:
        raise NotImported(ImportStatus.SKIPPED, NOT_CONFIRMED)
    memory = MemoryItem(item.content, name=item.name, type=item.type, at=item.updated_at)
    memory_store(batch, outcome, memory)
