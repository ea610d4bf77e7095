"""Deletion of what packs left behind, with the conversation or the reply that they were built for."""

from __future__ import annotations

from uuid import UUID

from apps.context.models import PackEpoch, UsedItems


def pack_records_delete(conversation_id: UUID) -> None:
    """Delete the epochs of a conversation that is being deleted, and what was retrieved for its replies."""
    PackEpoch.objects.filter(conversation_id=conversation_id).delete()
    UsedItems.objects.filter(conversation_id=conversation_id).delete()


def used_items_delete(conversation_id: UUID, reply_id: UUID) -> None:
    """Delete the record of what was retrieved for a reply."""
    UsedItems.objects.filter(conversation_id=conversation_id, reply_id=reply_id).delete()
