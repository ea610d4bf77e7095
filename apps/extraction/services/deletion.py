"""Deletion of what candidates say of a deleted message."""

from __future__ import annotations

from uuid import UUID

from apps.conversations.models import Message
from apps.engine.extraction.wording import Vocabulary, Wording
from apps.extraction.models import ExtractionCandidate, RelationalEvidence
from apps.extraction.services.relational import profiles_follow
from apps.memory.services.message_memories import message_memories_erase


def message_findings_erase(message: Message, *, user_id: UUID) -> None:
    """Delete what was found in a message: memories without another source, statements, and profile evidence.

    The caller has locked the conversation's row, excluded the message, and deletes the text after that.
    """
    _statements_erase(message)
    # It locks the whole tree, like the deletion after it.
    profiles_follow([message.id])
    message_memories_erase(message.id, user_id=user_id)
    RelationalEvidence.objects.filter(message_id=message.id).delete()


def _statements_erase(message: Message) -> None:
    """Delete a model's statements about the message, and those about others that use words of it, which they quote
    nowhere."""
    rows = ExtractionCandidate.objects.filter(conversation_id=message.conversation_id).exclude(statement="")
    deleted = Vocabulary.of((message.content,))
    erased = [row.id for row in rows.select_related("message") if _uses(row, message.id, deleted)]
    ExtractionCandidate.objects.filter(pk__in=erased).update(statement="")


def _uses(row: ExtractionCandidate, message_id: UUID, deleted: Vocabulary) -> bool:
    if row.message_id == message_id:
        return True
    stated, quoted = Wording.of(row.statement), Vocabulary.of((row.message.content[row.start : row.end],))
    return deleted.shares(stated.words - quoted.stems, stated.numbers - quoted.numbers)
