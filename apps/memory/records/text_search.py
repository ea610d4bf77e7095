"""Records of memories, user memory and pins that contain the words of a search."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from apps.conversations.records import Snippet


@dataclass(frozen=True, slots=True)
class MemoryMatch:
    id: UUID
    uri: str
    category: str
    snippet: Snippet


@dataclass(frozen=True, slots=True)
class UserMemoryMatch:
    id: UUID
    type: str
    key: str
    is_active: bool
    snippet: Snippet


@dataclass(frozen=True, slots=True)
class PinMatch:
    """`title` is that of the conversation."""

    id: UUID
    conversation_id: UUID
    title: str
    snippet: Snippet
