"""Messages of a conversation with what they answer, and their identity by content."""

from __future__ import annotations

from hashlib import sha256
from uuid import UUID

from django.db.models.functions import Substr

from apps.conversations.models import Message, MessageRole

_READ = 4_000
# A message that is stored as it is written has the time of its id, within this limit.
_AT_ONCE_S = 5.0


def reply_before(row: Message) -> str:
    """Return the beginning of the assistant message that a message answers; empty if there is none."""
    earlier = Message.objects.filter(conversation_id=row.conversation_id, index__lt=row.index, excluded=False)
    replies = earlier.filter(role=MessageRole.ASSISTANT).annotate(beginning=Substr("content", 1, _READ))
    return replies.order_by("-index").values_list("beginning", flat=True).first() or ""


def message_fingerprint(row: Message, reply: str, *, is_imported: bool) -> str:
    """Identify a message by its words, what it answers, and its date, which an import may not have given it."""
    dated = row.created_at.isoformat() if not (is_imported and _has_time_of_storage(row)) else ""
    return _digest(row.content, reply, dated)


def session_fingerprint(conversation_id: UUID, *, is_imported: bool) -> str:
    """Identify a conversation by its first message, so that its copies and forks count as the same."""
    first = Message.objects.filter(conversation_id=conversation_id).order_by("index").first()
    return message_fingerprint(first, "", is_imported=is_imported) if first else ""


def _has_time_of_storage(row: Message) -> bool:
    stored_at = (row.id.int >> 80) / 1_000
    return abs(row.created_at.timestamp() - stored_at) <= _AT_ONCE_S


def _digest(*texts: str) -> str:
    return sha256("\x00".join(texts).encode()).hexdigest()
