"""Permanent deletion of conversations, and tombstones of those that came from elsewhere."""

from __future__ import annotations

from django.db import connection

from apps.common.tenancy import current_workspace_id
from apps.conversations.models import Conversation, ConversationShare, ConversationTombstone
from apps.conversations.selectors.access import tombstone_digest
from apps.conversations.services.events import lists_announce
from apps.events.publish import publish
from apps.events.types import AccessRevoked

# One statement: the model's cascade would read every message first.
_MESSAGES = "DELETE FROM conversations_message WHERE workspace_id = %s AND conversation_id = %s"


def conversation_rows_delete(row: Conversation) -> None:
    """Delete the messages and the conversation itself. The caller has locked it and deleted what depends on it."""
    shares = ConversationShare.objects.filter(conversation_id=row.id)
    readers = list(shares.values_list("user_id", flat=True))
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
