"""Conversations and messages as plain data, for the API, the sockets and the engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.conversations.models import Conversation, ConversationShare, Message, MessageRole, MessageStatus, ShareAccess
from apps.engine.messages import message as engine
from apps.engine.messages.display import display_text
from apps.engine.messages.importance import importance
from apps.llm.records import UsageRecord

SHARE_ACCESS = tuple(ShareAccess.values)
OWNER = "owner"
ACCESS = (OWNER, *SHARE_ACCESS)
MESSAGE_ROLES = tuple(MessageRole.values)
MESSAGE_STATUSES = tuple(MessageStatus.values)
MESSAGE_STATES = ("live", "compacted", "excluded", "deleted")


@dataclass(frozen=True, slots=True)
class ConversationRecord:
    """A conversation; `access` is the actor's access to it: owner, write or read.

    `token_budget` is the default budget of its packs; if empty, the reader's or the workspace's default applies.
    `owner_name` is set in a single conversation that another person shares.
    """

    id: UUID
    owner_id: UUID
    title: str
    system_prompt: str
    external_id: str | None
    copied_from: UUID | None
    copied_through: int | None
    token_budget: int | None
    remembers: bool
    temporary: bool
    private_memory_when_shared: bool
    message_count: int
    token_total: int
    excluded_tokens: int
    live_count: int
    live_tokens: int
    version: int
    archived_at: datetime | None
    access: str
    active_at: datetime
    created_at: datetime
    updated_at: datetime
    owner_name: str = ""


@dataclass(frozen=True, slots=True)
class BranchPoint:
    """The index of a message at which conversations diverge, and one of each branch, including the present one."""

    index: int
    conversation_ids: list[UUID]


@dataclass(frozen=True, slots=True)
class ShareRecord:
    """A member with whom a conversation is shared, to read or to write."""

    user_id: UUID
    email: str
    name: str
    access: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ReaderRecord:
    """Somebody who reads a conversation, as its owner or by a share."""

    user_id: UUID
    name: str
    access: str


@dataclass(frozen=True, slots=True)
class MessageRecord:
    """A message. `state` is one of `MESSAGE_STATES`; `error_code` is the reason for a partial or failed reply.

    `usage` is the usage reported for a reply, if it was loaded, `used_count` the number of memories and messages that
    were retrieved for it.
    """

    id: UUID
    index: int
    role: str
    name: str
    content: str
    parts: list[dict[str, Any]]
    status: str
    token_count: int
    tokens_through: int
    state: str
    error_code: str
    external_id: str | None
    created_at: datetime
    used_count: int = 0
    usage: UsageRecord | None = None


@dataclass(frozen=True, slots=True)
class ExclusionRecord:
    """An excluded message, with the beginning of its text."""

    id: UUID
    index: int
    role: str
    name: str
    excerpt: str
    token_count: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ConversationMatch:
    id: UUID
    title: str
    updated_at: datetime
    archived_at: datetime | None


@dataclass(frozen=True, slots=True)
class MessageMatch:
    """A message that contains the words. `match` is their offset in the snippet and their length, in characters."""

    conversation_id: UUID
    title: str
    message_id: UUID
    index: int
    role: str
    snippet: str
    match: tuple[int, int]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Snippet:
    """A part of a text. `match` is the offset of a searched word in it and the word's length, in characters."""

    text: str
    match: tuple[int, int]


@dataclass(frozen=True, slots=True)
class MessageDraft:
    """A message to store. If the conversation has the `external_id` already, nothing is stored."""

    role: str
    content: str
    name: str = ""
    parts: tuple[engine.Part, ...] = field(default=())
    external_id: str | None = None
    created_at: datetime | None = None
    """In the time zone of who wrote it, where that is known; otherwise in UTC."""
    is_own: bool = False
    """Whether the name is the conversation owner's, also where their account has another."""


def conversation_record(row: Conversation, access: str) -> ConversationRecord:
    return ConversationRecord(
        id=row.id,
        owner_id=row.owner_id,
        title=row.title,
        system_prompt=row.system_prompt,
        external_id=row.external_id,
        copied_from=row.copied_from_id,
        copied_through=row.copied_through,
        token_budget=row.token_budget,
        remembers=row.remembers,
        temporary=row.temporary,
        private_memory_when_shared=row.private_memory_when_shared,
        message_count=row.message_count,
        token_total=row.token_total,
        excluded_tokens=row.excluded_tokens,
        live_count=row.live_count,
        live_tokens=row.live_tokens,
        version=row.version,
        archived_at=row.archived_at,
        access=access,
        active_at=row.active_at,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def share_record(row: ConversationShare) -> ShareRecord:
    return ShareRecord(row.user_id, row.user.email, row.user.name, row.access, row.created_at)


def message_record(row: Message, usage: UsageRecord | None = None) -> MessageRecord:
    return MessageRecord(
        id=row.id,
        index=row.index,
        role=row.role,
        name=row.name,
        content=row.content,
        parts=row.parts,
        status=row.status,
        token_count=row.token_count,
        tokens_through=row.tokens_through,
        state=message_state(row),
        error_code=row.error_code,
        external_id=row.external_id,
        created_at=row.created_at,
        used_count=row.used_count,
        usage=usage,
    )


def engine_message(row: Message) -> engine.Message:
    return engine.Message(
        id=str(row.id),
        index=row.index,
        role=engine.Role(row.role),
        content=row.content,
        token_count=row.token_count + row.extra_tokens,
        name=row.name,
        parts=tuple(part_from_json(stored) for stored in row.parts),
    )


def engine_messages(rows: Iterable[Message]) -> tuple[engine.Message, ...]:
    return tuple(engine_message(row) for row in rows)


def message_importance(row: Message) -> float:
    """Return the position-free part of a message's importance, from its whole text."""
    message = engine_message(row)
    return importance(display_text(message), message.role)


def part_from_json(stored: dict[str, Any]) -> engine.Part:
    return engine.Part(**{**stored, "kind": engine.PartKind(stored["kind"])})


_OF_PARTS = tuple(one.name for one in fields(engine.Part) if one.name != "kind")


def part_to_json(part: engine.Part) -> dict[str, Any]:
    """Return only the fields that are set, so that a stored part is read as it was sent."""
    values = {name: getattr(part, name) for name in _OF_PARTS}
    return {"kind": part.kind.value, **{name: value for name, value in values.items() if value}}


def message_state(row: Message) -> str:
    if row.deleted_at:
        return "deleted"
    if row.excluded:
        return "excluded"
    return "live" if row.compacted_in is None else "compacted"
