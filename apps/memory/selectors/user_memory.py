"""Reads of user memory."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet

from apps.accounts.actors import Actor
from apps.common.errors import NotFound
from apps.common.models import columns_of
from apps.common.pagination import Page, page_of
from apps.common.reads import fetch_models
from apps.engine.summary.rendering import MemoryItem
from apps.memory.models import UserMemory, UserMemoryType
from apps.memory.records import UserMemoryRecord, engine_memory, user_memory_record

# Constraints on replies come first.
_PACK_ORDER = (UserMemoryType.CONSTRAINT, UserMemoryType.PREFERENCE, UserMemoryType.DEFINITION, UserMemoryType.FACT)
_FOR_PACK = f"""
SELECT {columns_of(UserMemory, "memory")} FROM user_memory AS memory
WHERE workspace_id = %(workspace)s AND user_id = %(user)s AND is_active
ORDER BY array_position(%(order)s::text[], type::text), updated_at DESC, id DESC LIMIT %(most)s
"""  # noqa: S608  # the only inserted text is the names of columns


def user_memory_list(actor: Actor, *, after: str | None, limit: int) -> Page[UserMemoryRecord]:
    """Return a page of the actor's items, oldest first, active or not; `after` is the id of the last one seen."""
    rows = _own(actor)
    if after:
        rows = rows.filter(pk__gt=UUID(after))
    return page_of(rows.order_by("id")[: limit + 1], limit, user_memory_record, lambda row: str(row.id))


def user_memory_of(actor: Actor, memory_id: UUID) -> UserMemory:
    row = _own(actor).filter(pk=memory_id).first()
    if row is None:
        raise NotFound("Memory not found.")
    return row


def user_memory_get(actor: Actor, memory_id: UUID) -> UserMemoryRecord:
    return user_memory_record(user_memory_of(actor, memory_id))


def user_memory_for_pack(actor: Actor, *, most: int) -> list[MemoryItem]:
    """At most `most` active items: constraints, preferences, definitions, facts; the newest of each first."""
    order = [kind.value for kind in _PACK_ORDER]
    rows = fetch_models(UserMemory, _FOR_PACK, user=actor.user_id, order=order, most=most)
    return [engine_memory(row) for row in rows]


def _own(actor: Actor) -> QuerySet[UserMemory]:
    return UserMemory.objects.filter(user_id=actor.user_id)
