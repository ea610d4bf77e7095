"""Deletion of the summaries of a conversation that is being deleted."""

from __future__ import annotations

from uuid import UUID

from apps.compaction.models import CompactionRun, ConversationContext, SegmentSummary, SummaryVersion
from apps.conversations.models import Message


def summaries_delete(conversation_id: UUID) -> None:
    """Delete all versions, segments and runs. The caller deletes the messages in the same transaction."""
    Message.objects.filter(conversation_id=conversation_id, compacted_in__isnull=False).update(compacted_in=None)
    for table in (CompactionRun, ConversationContext, SegmentSummary, SummaryVersion):
        table.objects.filter(conversation_id=conversation_id).delete()
