"""Writes of user memory; one text per type and key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.actors import Actor, require_write
from apps.common.errors import Conflict, NotFound
from apps.common.versions import require_version
from apps.engine.tokens.counting import count_text
from apps.memory.models import UserMemory
from apps.memory.records import UserMemoryRecord, user_memory_record
from apps.memory.services.events import user_memory_announce
from apps.memory.services.index.passages import user_memory_passages_sync


@dataclass(frozen=True, slots=True)
class UserMemoryDraft:
    type: str
    key: str
    content: str
    is_active: bool = True


@dataclass(frozen=True, slots=True)
class UserMemoryDates:
    """When an item was written elsewhere, and changed last; packs list the newest items of a type first."""

    created_at: datetime
    updated_at: datetime


def user_memory_create(
    actor: Actor, *, draft: UserMemoryDraft, dates: UserMemoryDates | None = None
) -> UserMemoryRecord:
    """Store a new item, with `dates` as one that an import brings back."""
    require_write(actor)
    row = UserMemory(
        user_id=actor.user_id,
        type=draft.type,
        key=draft.key,
        content=draft.content,
        is_active=draft.is_active,
    )
    return _stored(actor, row, dates)


def user_memory_update(
    actor: Actor, *, memory_id: UUID, changes: Mapping[str, Any], version: int | None
) -> UserMemoryRecord:
    """Change type, key, content or the active flag of the given version."""
    require_write(actor)
    row = _locked(actor, memory_id)
    require_version(version, row.version, of="The memory")
    for field in ("type", "key", "content", "is_active"):
        setattr(row, field, changes.get(field, getattr(row, field)))
    row.version += 1
    return _stored(actor, row)


def user_memory_delete(actor: Actor, *, memory_id: UUID, version: int | None = None) -> None:
    """Delete the item. With a version, only if the item still has it."""
    require_write(actor)
    row = _locked(actor, memory_id)
    require_version(version, row.version, of="The memory")
    row.delete()
    user_memory_passages_sync([memory_id])
    user_memory_announce(workspace_id=actor.workspace_id, user_id=actor.user_id, memory_id=memory_id, deleted=True)


def _locked(actor: Actor, memory_id: UUID) -> UserMemory:
    rows = UserMemory.objects.select_for_update(of=("self",)).filter(user_id=actor.user_id, pk=memory_id)
    if (row := rows.first()) is None:
        raise NotFound("Memory not found.")
    return row


def _stored(actor: Actor, row: UserMemory, dates: UserMemoryDates | None = None) -> UserMemoryRecord:
    row.token_count = count_text(row.content)
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as error:
        raise Conflict(f"You already have a {row.type} with the key “{row.key}”.", code="key_taken") from error
    if dates:
        _date(row, dates)
    user_memory_passages_sync([row.id])
    user_memory_announce(workspace_id=actor.workspace_id, user_id=actor.user_id, memory_id=row.id)
    return user_memory_record(row)


def _date(row: UserMemory, dates: UserMemoryDates) -> None:
    """Replace the dates that saving the row has set; one in the future would make it the newest for long."""
    now = timezone.now()
    row.created_at, row.updated_at = min(dates.created_at, now), min(dates.updated_at, now)
    UserMemory.objects.filter(pk=row.pk).update(created_at=row.created_at, updated_at=row.updated_at)
