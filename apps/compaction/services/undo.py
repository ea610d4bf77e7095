"""Undoing compactions, the last one first: its messages are live again and the summary is what it was before.

What people corrected since then stays corrected.
"""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import Conflict
from apps.compaction.models import CompactionRun, RunState, SummaryVersion, VersionCause
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
    version = run.version or 0
    messages_restore(conversation=conversation, version=version)
    SummaryVersion.objects.filter(conversation_id=conversation_id, version__gte=version).update(undone=True)
    present = summary_from_json(context.rolling_summary)
    summary = with_corrections(summary_at(conversation_id, run.base_version or 0), present, policy)
    summary = without_sources(summary, excluded_among(conversation_id, summary))
    version_store(context, NewVersion(summary, VersionCause.UNDO, covered_through(conversation_id)))
    context.compaction_count -= 1
    context.save(update_fields=["compaction_count"])
    context_rest(context, conversation, policy)
    context_refresh(context, conversation)
    run.state = RunState.UNDONE
    run.save(update_fields=["state"])
    compaction_announce(CompactionUndone, conversation_id=conversation_id)
    return run_record(run)


def _last_run(conversation_id: UUID) -> CompactionRun | None:
    done = CompactionRun.objects.filter(conversation_id=conversation_id, state=RunState.SUCCEEDED)
    return done.order_by("-version").first()
