"""Deletion of what candidates say of a deleted message."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import F, Q, QuerySet

from apps.conversations.models import Message
from apps.engine.extraction.wording import Vocabulary, Wording
from apps.extraction.models import ExtractionCandidate, RelationalEvidence
from apps.extraction.selectors.candidates import QUOTED
from apps.extraction.services.relational import profiles_follow
from apps.memory.services.message_memories import message_memories_erase

_MOST_BEGINNINGS = 500


def message_findings_erase(message: Message, *, user_id: UUID) -> None:
    """Delete what was found in a message: memories without another source, statements, and profile evidence.

    The caller has locked the conversation's row, excluded the message, and deletes the text after that.
    """
    stating = _statements_erase(message)
    # It locks the whole tree, like the deletion after it.
    profiles_follow([message.id])
    message_memories_erase(message.id, user_id=user_id, stating=stating)
    RelationalEvidence.objects.filter(message_id=message.id).delete()


def _statements_erase(message: Message) -> dict[UUID, set[UUID]]:
    """Delete a model's statements about the message, and those about others that use words of it, which they quote
    nowhere; return the messages that these quote, by the memory that has the statement as its content."""
    deleted = Vocabulary.of((message.content,))
    rows = _statements(message, deleted).annotate(text=QUOTED, content=F("node__l2_content"))
    erased = [row for row in rows if _uses(row, message.id, deleted)]
    ExtractionCandidate.objects.filter(pk__in=[row.id for row in erased]).update(statement="")
    stating: dict[UUID, set[UUID]] = {}
    for row in erased:
        if row.node_id and row.content == row.statement:
            stating.setdefault(row.node_id, set()).add(row.message_id)
    return stating


def _statements(message: Message, deleted: Vocabulary) -> QuerySet[Any]:
    """Select the statements of the conversation that may use words of the message."""
    rows = ExtractionCandidate.objects.filter(conversation_id=message.conversation_id).exclude(statement="")
    beginnings = _beginnings(deleted.stems)
    if len(beginnings) > _MOST_BEGINNINGS:
        return rows
    wanted = Q(message_id=message.id) | Q(statement__regex=r"[^\x01-\x7f]")
    if deleted.numbers:
        wanted |= Q(statement__regex="[0-9]")
    if beginnings:
        wanted |= Q(statement__iregex=rf"(^|[^a-z0-9])({'|'.join(map(re.escape, beginnings))})")
    return rows.filter(wanted)


def _beginnings(stems: Collection[str]) -> list[str]:
    """The first letters that a word in ASCII shares with a stem that is the same or similar; "flies" has the stem
    "fly"."""
    return sorted({stem[:3].removesuffix("y") for stem in stems if stem[:3].isascii()})


def _uses(row: Any, message_id: UUID, deleted: Vocabulary) -> bool:
    if row.message_id == message_id:
        return True
    stated, quoted = Wording.of(row.statement), Vocabulary.of((row.text,))
    return deleted.shares(stated.words - quoted.stems, stated.numbers - quoted.numbers)
