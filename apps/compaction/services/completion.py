"""Completion of a compaction: the summary's new version, the compacted messages, the context's counts and the run."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone

from apps.compaction.models import ConversationContext, VersionCause
from apps.compaction.selectors.contexts import excluded_among
from apps.compaction.services.run_records import outcome_of, run_succeeded
from apps.compaction.services.versions import NewVersion, context_refresh, covered_through, version_store
from apps.conversations.models import Conversation
from apps.conversations.services.messages import messages_compact
from apps.engine.compaction.plan import CompactionPlan
from apps.engine.summary.carry_over import Notes
from apps.engine.summary.rolling_summary import without_sources


@dataclass(frozen=True, slots=True)
class Compacted:
    """The result of a run: the messages of its plan, and the summary that covers them."""

    run_id: UUID
    plan: CompactionPlan
    notes: Notes


def compaction_store(context: ConversationContext, conversation: Conversation, result: Compacted) -> bool:
    """Store the result; return False if one of its messages is no longer live, and nothing may be committed.

    The caller has locked the conversation's row and the context, and checked that the summary has not changed.
    """
    summary = without_sources(result.notes.summary, excluded_among(conversation.id, result.notes.summary))
    new = NewVersion(summary, VersionCause.COMPACTION, _covers(conversation, result.plan), result.notes.removed)
    version = version_store(context, new).version
    if not messages_compact(conversation=conversation, message_ids=result.plan.ids, version=version):
        return False
    context.last_compaction_at = timezone.now()
    context.compaction_count += 1
    context.paused_below = None
    context.save(update_fields=["last_compaction_at", "compaction_count", "paused_below"])
    context_refresh(context, conversation)
    run_succeeded(result.run_id, outcome_of(result.plan, context, conversation))
    return True


def _covers(conversation: Conversation, plan: CompactionPlan) -> int | None:
    """The index of the newest message that the summary covers."""
    through = max((message.index for message in plan.messages), default=None)
    before = covered_through(conversation.id)
    return max((index for index in (through, before) if index is not None), default=None)
