"""What a person wrote about themselves."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from uuid import UUID

from django.db.models import Case, IntegerField, QuerySet, Value, When

from apps.accounts.actors import Actor
from apps.common.errors import NotFound
from apps.common.pagination import Page, page_of
from apps.common.prepared_queries import kept
from apps.engine.summary.rendering import MemoryItem
from apps.memory.models import UserMemory, UserMemoryType
from apps.memory.records import UserMemoryRecord, engine_memory, user_memory_record

# What binds a reply comes first.
_PACK_ORDER = (UserMemoryType.CONSTRAINT, UserMemoryType.PREFERENCE, UserMemoryType.DEFINITION, UserMemoryType.FACT)


def user_memory_list(actor: Actor, *, after: str | None, limit: int) -> Page[UserMemoryRecord]:
    """The actor's own, oldest first, active or not; `after` is the id of the last one seen."""
    rows = _own(actor)
    if after:
        rows = rows.filter(pk__gt=UUID(after))
    return page_of(rows.order_by("id")[: limit + 1], limit, user_memory_record, lambda row: str(row.id))


def user_memory_of(actor: Actor, memory_id: UUID) -> UserMemory:
    row = _own(actor).filter(pk=memory_id).first()
    if row is None:
        raise NotFound("There is no such memory.")
    return row


def user_memory_get(actor: Actor, memory_id: UUID) -> UserMemoryRecord:
    return user_memory_record(user_memory_of(actor, memory_id))


def user_memory_for_pack(actor: Actor, *, most: int) -> list[MemoryItem]:
    """At most `most` active items: constraints, preferences, definitions, facts; the newest of each first."""
    return [engine_memory(row) for row in _for_pack(_rounded(most))(actor.user_id)[:most]]


def _rounded(most: int) -> int:
    """Up to a power of two: budgets are many, and each number of rows is a question of its own."""
    return 1 << max(0, most - 1).bit_length()


@lru_cache(maxsize=64)
def _for_pack(most: int) -> Callable[[UUID], list[UserMemory]]:
    rank = Case(
        *(When(type=kind, then=Value(place)) for place, kind in enumerate(_PACK_ORDER)), output_field=IntegerField()
    )

    def asked(user_id: UUID) -> QuerySet[UserMemory]:
        rows = UserMemory.objects.filter(user_id=user_id, is_active=True)
        return rows.order_by(rank, "-updated_at", "-id")[:most]

    return kept(asked)


def _own(actor: Actor) -> QuerySet[UserMemory]:
    return UserMemory.objects.filter(user_id=actor.user_id)
