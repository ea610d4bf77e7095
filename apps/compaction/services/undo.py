"""Undoing compactions, the last one first: its messages are live again and the summary is what it was before.

What people corrected since then stays corrected.
"""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import Conflict
from apps.compaction.models import CompactionRun, ConversationContext, RunState, SummaryVersion, VersionCause
from apps.compaction.records import RunRecord, run_record
from apps.compaction.selectors.contexts import excluded_among, summary_at
from apps.compaction.services.events import compaction_announce
from apps.compaction.services.versions import (
    NewVersion,
    context_lock,
    context_refresh,
    context_rest,
    covered_through,
    version_store,
)
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_lock_for_write
from apps.conversations.services.messages import messages_restore
from apps.engine.policy import Policy
from apps.engine.summary.corrections import with_corrections
from apps.engine.summary.rolling_summary import summary_from_json, without_sources
from apps.events.types import CompactionUndone


def compaction_undo(actor: Actor, *, conversation_id: UUID, run_id: UUID, policy: Policy) -> RunRecord:
    """Undo the run, which must be the last one not undone yet. Automatic compaction then rests for a while."""
    conversation = conversation_lock_for_write(actor, conversation_id)
    run = _last_run(conversation_id)
    if run is None or run.id != run_id:
        raise Conflict(
            "Only the latest compaction in effect can be undone. Undo later ones first.", code="not_the_last"
        )
    context = context_lock(conversation)
    base = run.base_version or 0
    # All since the base, not the run's alone: an import may have stored a version whose run it could not restore.
    versions_undo(conversation, context, versions_since(conversation_id, base))
    summary_return(conversation, context, base, policy)
    run.refresh_from_db(fields=["state"])
    return run_record(run)


def summary_return(conversation: Conversation, context: ConversationContext, base: int, policy: Policy) -> None:
    """Store the summary of the base again, with what was corrected since, after the versions since were undone."""
    present = summary_from_json(context.rolling_summary)
    summary = with_corrections(summary_at(conversation.id, base), present, policy)
    summary = without_sources(summary, excluded_among(conversation.id, summary))
    version_store(context, NewVersion(summary, VersionCause.UNDO, covered_through(conversation.id)))
    context_rest(context, conversation, policy)
    context_refresh(context, conversation)
    compaction_announce(CompactionUndone, conversation_id=conversation.id)


def versions_since(conversation_id: UUID, base: int) -> list[int]:
    """The versions after the base that are not undone."""
    rows = SummaryVersion.objects.filter(conversation_id=conversation_id, version__gt=base, undone=False)
    return list(rows.values_list("version", flat=True))


def versions_undo(conversation: Conversation, context: ConversationContext, versions: Collection[int]) -> None:
    """Mark versions and their runs as undone, and make live again what they covered.

    The caller has locked the conversation and the context, and stores the summary that replaces theirs.
    """
    messages_restore(conversation=conversation, versions=versions)
    rows = SummaryVersion.objects.filter(conversation=conversation, version__in=versions)
    context.compaction_count -= rows.filter(cause=VersionCause.COMPACTION, undone=False).count()
    context.save(update_fields=["compaction_count"])
    rows.update(undone=True)
    runs = CompactionRun.objects.filter(conversation=conversation, version__in=versions)
    runs.filter(state=RunState.SUCCEEDED).update(state=RunState.UNDONE)


def _last_run(conversation_id: UUID) -> CompactionRun | None:
    done = CompactionRun.objects.filter(conversation_id=conversation_id, state=RunState.SUCCEEDED)
    return done.order_by("-version").first()
