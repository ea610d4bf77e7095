"""Pins and user memory as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.engine.summary.rendering import MemoryItem, Pin
from apps.engine.tokens.estimate import estimate_text
from apps.memory.models import PinCategory, PinnedMemory, UserMemory, UserMemoryType

PIN_CATEGORIES = tuple(PinCategory.values)
USER_MEMORY_TYPES = tuple(UserMemoryType.values)


@dataclass(frozen=True, slots=True)
class PinRecord:
    id: UUID
    conversation_id: UUID
    message_id: UUID | None
    content: str
    category: str
    token_count: int
    pinned_by: UUID | None
    pinned_at: datetime
    version: int


@dataclass(frozen=True, slots=True)
class UserMemoryRecord:
    id: UUID
    type: str
    key: str
    content: str
    is_active: bool
    token_count: int
    version: int
    created_at: datetime
    updated_at: datetime


def pin_record(row: PinnedMemory) -> PinRecord:
    return PinRecord(
        id=row.id,
        conversation_id=row.conversation_id,
        message_id=row.message_id,
        content=row.content,
        category=row.category,
        token_count=estimate_text(row.content),
        pinned_by=row.pinned_by_id,
        pinned_at=row.pinned_at,
        version=row.version,
    )


def user_memory_record(row: UserMemory) -> UserMemoryRecord:
    return UserMemoryRecord(
        id=row.id,
        type=row.type,
        key=row.key,
        content=row.content,
        is_active=row.is_active,
        token_count=estimate_text(row.content),
        version=row.version,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def engine_pin(row: PinnedMemory) -> Pin:
    message_id = str(row.message_id) if row.message_id else None
    return Pin(id=str(row.id), category=row.category, content=row.content, message_id=message_id)


def engine_memory(row: UserMemory) -> MemoryItem:
    return MemoryItem(id=str(row.id), type=row.type, key=row.key, content=row.content)
