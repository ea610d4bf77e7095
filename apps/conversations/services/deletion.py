"""Permanent deletion of conversations and messages, and tombstones of conversations that came from elsewhere."""

from __future__ import annotations

from uuid import UUID

from django.db import connection
from django.utils import timezone

from apps.common.tenancy import current_workspace_id
from apps.conversations.models import Conversation, ConversationShare, ConversationTombstone, Message
from apps.conversations.selectors.access import tombstone_digest
from apps.conversations.services.events import conversation_announce, lists_announce
from apps.engine.extraction.titles import is_title_of
from apps.events.publish import publish
from apps.events.types import AccessRevoked

# One statement: the model's cascade would read every message first.
_MESSAGES = "DELETE FROM conversations_message WHERE workspace_id = %s AND conversation_id = %s"


def conversation_rows_delete(row: Conversation) -> None:
    """Delete the messages and the conversation itself. The caller has locked it and deleted what depends on it."""
    readers = _readers(row)
    workspace_id, conversation_id = current_workspace_id(), row.id
    with connection.cursor() as cursor:
        cursor.execute(_MESSAGES, [workspace_id, conversation_id])
    if row.external_id:
        ConversationTombstone.objects.get_or_create(
            owner_id=row.owner_id, external_digest=tombstone_digest(row.external_id)
        )
    lists_announce(conversation=row, readers=readers)
    row.delete()
    for user_id in (row.owner_id, *readers):
        publish(AccessRevoked(workspace_id=workspace_id, user_id=user_id, conversation_id=conversation_id))


def message_empty(conversation: Conversation, message: Message) -> None:
    """Delete the text of an excluded message and the title that was taken from it.

    Its row keeps index, role, counts and external id. The caller has locked the conversation's row.
    """
    titled = is_title_of(conversation.title, message.content)
    message.content, message.name, message.parts, message.importance = "", "", [], None
    message.used_count = 0
    message.deleted_at = timezone.now()
    message.save(update_fields=["content", "name", "parts", "importance", "used_count", "deleted_at"])
    if titled:
        conversation.title = ""
        conversation.version += 1
        conversation.save(update_fields=["title", "version", "updated_at"])
        conversation_announce(conversation_id=conversation.id)
        lists_announce(conversation=conversation, readers=_readers(conversation))


def _readers(conversation: Conversation) -> list[UUID]:
    return list(ConversationShare.objects.filter(conversation_id=conversation.id).values_list("user_id", flat=True))
