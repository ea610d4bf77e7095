"""The version of a conversation's live state: up by one with every change that somebody who looks at it would see."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db import connection

from apps.common.models import columns_of
from apps.common.rows import fields_of, values_of
from apps.conversations.models import Conversation

# Row-level security binds them to the unit's workspace.
_STORED = (
    "UPDATE conversations_conversation SET {fields}, state_version = state_version + 1 WHERE id = %s "
    "RETURNING state_version"
)
_NEXT = f"""
UPDATE conversations_conversation AS talk SET state_version = state_version + 1 WHERE id = %s
RETURNING {columns_of(Conversation, "talk")}
"""  # noqa: S608  # the only inserted text is the names of columns


def conversation_advance(conversation_id: UUID) -> Conversation:
    """The next version, taken in the caller's transaction, and the row as it is now; held until the end of it."""
    row: Conversation = Conversation.objects.raw(_NEXT, [conversation_id])[0]
    return row


def conversation_store(conversation: Conversation, names: Iterable[str]) -> None:
    """Store these fields of the row, which the caller holds, and take the next version in the same statement."""
    fields = fields_of(Conversation, (*names, "updated_at"))
    values = values_of(conversation, fields, add=False)
    with connection.cursor() as cursor:
        cursor.execute(
            _STORED.format(fields=", ".join(f"{field.column} = %s" for field in fields)), [*values, conversation.id]
        )
        (conversation.state_version,) = cursor.fetchone()
