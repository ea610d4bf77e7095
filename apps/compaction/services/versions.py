"""Storing a version of the summary: the only place that changes what a conversation's context is."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from apps.compaction.models import ConversationContext, SummaryVersion, VersionCause
from apps.compaction.selectors.contexts import Recall, context_tokens, excluded_among
from apps.compaction.services.archive.scheduling import session_archive_schedule_soon
from apps.compaction.services.events import summary_announce
from apps.conversations.models import Conversation, Message
from apps.engine.policy import Policy
from apps.engine.summary.carry_over import RemovedLine, removed_to_json
from apps.engine.summary.rendering import summary_text
from apps.engine.summary.rolling_summary import RollingSummary, summary_from_json, summary_to_json, without_sources
from apps.engine.tokens.estimate import estimate_text

_NEVER_BY_ITSELF = 2**31 - 1


@dataclass(frozen=True, slots=True)
class NewVersion:
    """`covers_through` is the last compacted index, if any; `removed` are the lines that this version removes."""

    summary: RollingSummary
    cause: VersionCause
    covers_through: int | None
    removed: tuple[RemovedLine, ...] = ()


def context_lock(conversation: Conversation) -> ConversationContext:
    """Get or create the conversation's context, locked until the unit ends. The caller has locked the conversation."""
    ConversationContext.objects.get_or_create(conversation=conversation)
    return ConversationContext.objects.select_for_update(of=("self",)).get(conversation=conversation)


def version_store(context: ConversationContext, new: NewVersion) -> SummaryVersion:
    """Store the next version and make it the present one."""
    context.version += 1
    context.rolling_summary = summary_to_json(new.summary)
    context.summary_tokens = estimate_text(summary_text(new.summary))
    context.save(update_fields=["version", "rolling_summary", "summary_tokens"])
    session_archive_schedule_soon(context.conversation_id)
    return SummaryVersion.objects.create(
        conversation_id=context.conversation_id,
        version=context.version,
        cause=new.cause,
        rolling_summary=context.rolling_summary,
        summary_tokens=context.summary_tokens,
        covers_through=new.covers_through,
        removed=removed_to_json(new.removed),
    )


def context_rest(context: ConversationContext, conversation: Conversation, policy: Policy) -> None:
    """Pause automatic compaction until the next level is crossed; above the last one until a person requests one."""
    thresholds = (
        policy.light_compaction_threshold,
        policy.deep_compaction_threshold,
        policy.aggressive_compaction_threshold,
    )
    above = (threshold for threshold in thresholds if threshold > conversation.live_tokens)
    context.paused_below = next(above, _NEVER_BY_ITSELF)
    context.save(update_fields=["paused_below"])


def context_refresh(context: ConversationContext, conversation: Conversation) -> None:
    """Write down the counts as they are now."""
    context.total_token_count = conversation.included_tokens
    context.compressed_token_count = context_tokens(conversation, context.summary_tokens)
    context.save(update_fields=["total_token_count", "compressed_token_count"])


def covered_through(conversation_id: UUID) -> int | None:
    """The last index that a summary covers now."""
    folded = Message.objects.filter(conversation_id=conversation_id, compacted_in__isnull=False)
    return folded.order_by("-index").values_list("index", flat=True).first()


def summary_drop_excluded(*, conversation: Conversation) -> bool:
    """Remove the lines that only excluded messages support; return whether there were any. The row is locked."""
    context = context_lock(conversation)
    summary = summary_from_json(context.rolling_summary)
    left = without_sources(summary, excluded_among(conversation.id, summary))
    if left == summary:
        return False
    version_store(context, NewVersion(left, VersionCause.EXCLUSION, covered_through(conversation.id)))
    context_refresh(context, conversation)
    summary_announce(conversation_id=conversation.id)
    return True


def summary_recall(*, conversation: Conversation, recall: Recall) -> None:
    """Store the restored lines. The caller has locked the row and included the messages again."""
    context = context_lock(conversation)
    version_store(context, NewVersion(recall.summary, VersionCause.EXCLUSION, covered_through(conversation.id)))
    context_refresh(context, conversation)
    summary_announce(conversation_id=conversation.id)
