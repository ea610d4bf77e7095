"""Deletion of what candidates state about a deleted message, and what it showed of its author."""

from __future__ import annotations

from uuid import UUID

from apps.conversations.models import Message
from apps.engine.extraction.wording import Vocabulary, Wording
from apps.extraction.models import ExtractionCandidate, RelationalEvidence


def message_findings_delete(message: Message) -> None:
    """Delete what was found in a message, which is excluded already, and what statements use of its words.

    The caller has locked the conversation's row and deletes the text after that.
    """
    _erase_statements(message)
    RelationalEvidence.objects.filter(message_id=message.id).delete()


def _erase_statements(message: Message) -> None:
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
    words, numbers = stated.words - quoted.stems, stated.numbers - quoted.numbers
    return any(map(deleted.has_word, words)) or not numbers.isdisjoint(deleted.numbers)
