"""Deletion of what summaries hold of a deleted conversation or message."""

from __future__ import annotations

from uuid import UUID

from apps.compaction.models import CompactionRun, ConversationContext, SegmentSummary, SummaryVersion, VersionCause
from apps.compaction.services.archive.forgetting import session_archive_forget
from apps.compaction.services.archive.session_archive import session_archive_delete
from apps.compaction.services.events import summary_announce
from apps.compaction.services.versions import NewVersion, context_lock, context_refresh, covered_through, version_store
from apps.conversations.models import Conversation, Message
from apps.engine.summary.carry_over import removed_from_json, removed_to_json
from apps.engine.summary.erasure import ErasedLines
from apps.engine.summary.rendering import summary_text
from apps.engine.summary.rolling_summary import RollingSummary, summary_from_json, summary_to_json
from apps.engine.tokens.estimate import estimate_text


def summaries_delete(conversation_id: UUID) -> None:
    """Delete all versions, segments, runs and the archive. The caller deletes the messages in the same transaction."""
    session_archive_delete(Conversation.objects.get(pk=conversation_id))
    Message.objects.filter(conversation_id=conversation_id, compacted_in__isnull=False).update(compacted_in=None)
    for table in (CompactionRun, ConversationContext, SegmentSummary, SummaryVersion):
        table.objects.filter(conversation_id=conversation_id).delete()


def summary_lines_erase(conversation: Conversation, message_id: UUID) -> None:
    """Remove every line that cites a deleted message from the summary and all its versions; compile the archive again.

    The caller has locked the conversation's row. The current summary changes by a version of its own.
    """
    session_archive_forget(conversation, [message_id])
    versions = list(SummaryVersion.objects.filter(conversation_id=conversation.id).order_by("version"))
    summaries = [summary_from_json(row.rolling_summary) for row in versions]
    erased = ErasedLines.of(summaries, str(message_id))
    if not erased.texts:
        return
    for row, summary in zip(versions, summaries, strict=True):
        _version_rewrite(row, erased.removed_from(summary), erased)
    context = context_lock(conversation)
    current = summary_from_json(context.rolling_summary)
    if (left := erased.removed_from(current)) != current:
        version_store(context, NewVersion(left, VersionCause.DELETION, covered_through(conversation.id)))
        context_refresh(context, conversation)
    summary_announce(conversation_id=conversation.id)


def _version_rewrite(row: SummaryVersion, summary: RollingSummary, erased: ErasedLines) -> None:
    row.rolling_summary = summary_to_json(summary)
    row.summary_tokens = estimate_text(summary_text(summary))
    row.removed = removed_to_json(erased.removed_from_history(removed_from_json(row.removed)))
    row.save(update_fields=["rolling_summary", "summary_tokens", "removed"])
