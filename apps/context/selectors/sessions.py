"""Sessions of a reader: conversations with their archives, and the memories that came from one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from apps.accounts.actors import Actor
from apps.common.pagination import Page
from apps.compaction.selectors.session_archives import archives_of
from apps.conversations.records import ConversationRecord
from apps.conversations.selectors.access import conversation_named
from apps.conversations.selectors.conversations import conversation_list, record_for
from apps.extraction.records import ExtractedMemory
from apps.extraction.selectors.extracted_memories import extracted_memories
from apps.memory.models import MemNode

MOST_MEMORIES = 50


@dataclass(frozen=True, slots=True)
class ArchiveRecord:
    """The summary of a conversation in its owner's memory tree."""

    id: UUID
    uri: str
    abstract: str
    overview: str
    trust: str
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A conversation; `archive` is None if it has none in the reader's tree."""

    conversation: ConversationRecord
    archive: ArchiveRecord | None


@dataclass(frozen=True, slots=True)
class SessionDetail:
    """A session and the first memories that were found in its messages; `has_more` if there are others."""

    session: SessionRecord
    memories: tuple[ExtractedMemory, ...]
    has_more: bool


def session_list(
    actor: Actor, *, after: str | None, limit: int, archived: bool = False, where: Q | None = None
) -> Page[SessionRecord]:
    """Return a page of sessions, the most recently active first; `where` is a condition on their conversations."""
    page = conversation_list(actor, after=after, limit=limit, archived=archived, where=where)
    return Page(_sessions(actor, page.data), page.next_cursor)


def session_get(actor: Actor, name: str) -> SessionDetail:
    """Return a session by the id or the external id of its conversation; memories only to the owner."""
    conversation = record_for(actor, conversation_named(actor, name))
    [session] = _sessions(actor, [conversation])
    if conversation.owner_id != actor.user_id:
        return SessionDetail(session, (), has_more=False)
    page = extracted_memories(actor, conversation.id, from_index=0, after=None, limit=MOST_MEMORIES)
    return SessionDetail(session, tuple(page.data), has_more=page.next_cursor is not None)


def _sessions(actor: Actor, conversations: list[ConversationRecord]) -> list[SessionRecord]:
    archives = archives_of(actor.person_id, [one.id for one in conversations])
    return [SessionRecord(one, _archive(archives.get(one.id))) for one in conversations]


def _archive(row: MemNode | None) -> ArchiveRecord | None:
    if row is None:
        return None
    return ArchiveRecord(
        id=row.id,
        uri=row.uri,
        abstract=row.l0_abstract,
        overview=row.l1_overview,
        trust=row.trust,
        updated_at=row.updated_at,
    )
