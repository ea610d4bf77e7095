"""Undoing compactions, the last one first: its messages are live again and the summary is what it was before."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import Conflict
from apps.compaction.models import CompactionRun, ConversationContext, RunState, SummaryVersion, VersionCause
from apps.compaction.records import RunRecord, run_record
from apps.compaction.selectors.contexts import summary_at
from apps.compaction.services.announcing import fold_announce
from apps.compaction.services.versions import (
    NewVersion,
    context_lock,
    context_refresh,
    covered_through,
    excluded_among,
    version_store,
)
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_lock_for_write
from apps.conversations.services.messages import messages_unfold
from apps.engine.policy import Policy
from apps.engine.summary import without_sources
from apps.events.types import CompactionUndone

_NEVER_BY_ITSELF = 2**31 - 1


def compaction_undo(actor: Actor, *, conversation_id: UUID, run_id: UUID, policy: Policy) -> RunRecord:
    """Undo the run, which must be the last one not undone yet. Automatic compaction then rests for a while."""
    conversation = conversation_lock_for_write(actor, conversation_id)
    run = _last_run(conversation_id)
    if run is None or run.id != run_id:
        raise Conflict("Only the last compaction that stands can be undone.", code="not_the_last")
    context = context_lock(conversation)
    version = run.version or 0
    messages_unfold(conversation=conversation, version=version)
    SummaryVersion.objects.filter(conversation_id=conversation_id, version__gte=version).update(undone=True)
    summary = summary_at(conversation_id, run.base_version or 0)
    summary = without_sources(summary, excluded_among(conversation_id, summary))
    version_store(context, NewVersion(summary, VersionCause.UNDO, covered_through(conversation_id)))
    _rest(context, conversation, policy)
    run.state = RunState.UNDONE
    run.save(update_fields=["state"])
    fold_announce(CompactionUndone, conversation_id=conversation_id)
    return run_record(run)


def _last_run(conversation_id: UUID) -> CompactionRun | None:
    done = CompactionRun.objects.filter(conversation_id=conversation_id, state=RunState.SUCCEEDED)
    return done.order_by("-version").first()


def _rest(context: ConversationContext, conversation: Conversation, policy: Policy) -> None:
    """No automatic compaction until the next level is crossed; above the last one only when somebody asks."""
    thresholds = (
        policy.light_compaction_threshold,
        policy.deep_compaction_threshold,
        policy.aggressive_compaction_threshold,
    )
    above = (threshold for threshold in thresholds if threshold > conversation.live_tokens)
    context.rests_below = next(above, _NEVER_BY_ITSELF)
    context.compaction_count -= 1
    context.save(update_fields=["rests_below", "compaction_count"])
    context_refresh(context, conversation)
