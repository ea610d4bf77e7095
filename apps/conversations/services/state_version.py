"""The version of a conversation's live state: up by one with every change that somebody who looks at it would see."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.utils import timezone

from apps.common.models import columns_of
from apps.common.reads import fetch_models, fetch_rows
from apps.conversations.models import Conversation

_STORED = """
UPDATE conversations_conversation SET {fields}, state_version = state_version + 1
WHERE workspace_id = %(workspace)s AND id = %(id)s RETURNING state_version
"""
_NEXT = f"""
UPDATE conversations_conversation AS talk SET state_version = state_version + 1
WHERE workspace_id = %(workspace)s AND id = %(id)s
RETURNING {columns_of(Conversation, "talk")}
"""  # noqa: S608  # the only inserted text is the names of columns


def conversation_advance(conversation_id: UUID) -> Conversation:
    """The next version, taken in the caller's transaction, and the row as it is now; held until the end of it."""
    (row,) = fetch_models(Conversation, _NEXT, id=conversation_id)
    return row


def conversation_store(conversation: Conversation, names: Iterable[str]) -> None:
    """Store these fields of the row, which the caller holds, and take the next version in the same statement."""
    conversation.updated_at = timezone.now()
    values = {name: getattr(conversation, name) for name in (*names, "updated_at")}
    fields = ", ".join(f"{name} = %({name})s" for name in values)
    ((conversation.state_version,),) = fetch_rows(_STORED.format(fields=fields), id=conversation.id, **values)
