"""The version of a conversation's live state, incremented with every change that is visible to its viewers."""

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
UPDATE conversations_conversation AS conversation SET state_version = state_version + 1
WHERE workspace_id = %(workspace)s AND id = %(id)s
RETURNING {columns_of(Conversation, "conversation")}
"""  # noqa: S608  # the only inserted text is the names of columns


def conversation_advance(conversation_id: UUID) -> Conversation:
    """Increment the version in the caller's transaction, and return the row, locked until its end."""
    (row,) = fetch_models(Conversation, _NEXT, id=conversation_id)
    return row


def conversation_store(conversation: Conversation, names: Iterable[str]) -> None:
    """Store these fields of the row, which the caller has locked, and increment the version in the same statement."""
    conversation.updated_at = timezone.now()
    values = {name: getattr(conversation, name) for name in (*names, "updated_at")}
    fields = ", ".join(f"{name} = %({name})s" for name in values)
    ((conversation.state_version,),) = fetch_rows(_STORED.format(fields=fields), id=conversation.id, **values)
