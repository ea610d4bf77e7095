"""The parts of a conversation's live state that compactions change."""

from __future__ import annotations

from uuid import UUID

from apps.compaction.models import CompactionRun, ConversationContext, RunState
from apps.compaction.records import run_progress, run_stage
from apps.events.state_parts import CompactionState, SummaryState

_RECENT = 5
_FIRST = {RunState.RUNNING: 0, RunState.QUEUED: 1}


def summary_state(conversation_id: UUID) -> SummaryState:
    row = ConversationContext.objects.filter(conversation_id=conversation_id).first()
    if row is None:
        return SummaryState(0, 0, 0)
    return SummaryState(row.version, row.summary_tokens, row.compaction_count)


def present_run(conversation_id: UUID) -> CompactionRun | None:
    """The run that runs or waits, else the last one."""
    rows = list(CompactionRun.objects.filter(conversation_id=conversation_id).order_by("-id")[:_RECENT])
    return min(rows, key=lambda row: _FIRST.get(RunState(row.state), 2), default=None)


def compaction_state(row: CompactionRun | None) -> CompactionState | None:
    if row is None:
        return None
    return CompactionState(
        run_id=row.id,
        trigger=row.trigger,
        level=row.level,
        state=row.state,
        stage=run_stage(row),
        progress=run_progress(row),
        version=row.version,
        compacted_from=row.compacted_from,
        compacted_through=row.compacted_through,
        compacted_count=row.compacted_count,
        tokens_before=row.tokens_before,
        tokens_after=row.tokens_after,
        fallback_reason=row.fallback_reason,
        error_code=row.error_code,
        retry_at=row.retry_at,
    )
