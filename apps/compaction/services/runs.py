"""The record of a run, from the request to the outcome, and of the operation by which somebody watches it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from billiard.exceptions import SoftTimeLimitExceeded
from django.db.models import Q
from django.utils import timezone

from apps.common.errors import ContinuityError
from apps.common.tenancy import current_workspace_id
from apps.compaction.models import CompactionRun, ConversationContext, RunState, Trigger
from apps.compaction.selectors.contexts import ratio_of
from apps.conversations.models import Conversation
from apps.engine.folding import FoldPlan
from apps.engine.policy import Level
from apps.events.publish import publish
from apps.events.types import CompactionFailed, CompactionStarted, ContextCompacted
from apps.jobs.services import operation_fail, operation_progress, operation_succeed
from apps.jobs.times import JOB_TIMES

OFFLINE_MODEL = "offline"
_UNFINISHED = Q(state__in=[RunState.QUEUED, RunState.RUNNING]) | Q(state=RunState.FAILED, retry_at__isnull=False)


@dataclass(frozen=True, slots=True)
class Outcome:
    version: int
    folded_from: int | None
    folded_through: int | None
    folded_count: int
    tokens_after: int
    preservation_ratio: float


def run_to_do(conversation: Conversation, *, wanted: bool) -> CompactionRun | None:
    """The oldest unfinished run (a running one was left by a worker that died), else a new one if one is wanted."""
    unfinished = CompactionRun.objects.filter(_UNFINISHED, conversation_id=conversation.id).order_by("-trigger", "id")
    for run in unfinished:
        if run.trigger == Trigger.MANUAL or wanted:
            return run
        run_dropped(run)
    return CompactionRun(conversation_id=conversation.id, trigger=Trigger.AUTO) if wanted else None


def run_dropped(run: CompactionRun) -> None:
    """An automatic run that found nothing to fold leaves no record."""
    CompactionRun.objects.filter(pk=run.pk).delete()


def run_started(run: CompactionRun, *, level: Level, base_version: int, tokens: int) -> None:
    run.state, run.level, run.base_version, run.tokens_before = RunState.RUNNING, level, base_version, tokens
    run.model, run.error_code, run.error, run.retry_at = OFFLINE_MODEL, "", "", None
    run.started_at = timezone.now()
    run.save()
    if run.operation_id:
        operation_progress(operation_id=run.operation_id, stage="summarising", progress=30)
    publish(CompactionStarted(current_workspace_id(), run.conversation_id, run.id, level))


def outcome_of(folds: FoldPlan, context: ConversationContext, conversation: Conversation) -> Outcome:
    indexes = [message.index for message in folds.messages]
    return Outcome(
        version=context.version,
        folded_from=min(indexes, default=None),
        folded_through=max(indexes, default=None),
        folded_count=len(indexes),
        tokens_after=conversation.live_tokens,
        preservation_ratio=ratio_of(conversation, context.summary_tokens),
    )


def run_succeeded(run_id: UUID, outcome: Outcome) -> None:
    run = CompactionRun.objects.get(pk=run_id)
    run.state, run.finished_at = RunState.SUCCEEDED, timezone.now()
    run.version, run.folded_count = outcome.version, outcome.folded_count
    run.folded_from, run.folded_through = outcome.folded_from, outcome.folded_through
    run.tokens_after, run.preservation_ratio = outcome.tokens_after, outcome.preservation_ratio
    run.save()
    if run.operation_id:
        result = {"run_id": str(run.id), "version": outcome.version, "folded_count": outcome.folded_count}
        operation_succeed(operation_id=run.operation_id, result=result)
    publish(
        ContextCompacted(
            current_workspace_id(),
            run.conversation_id,
            run.id,
            outcome.version,
            outcome.folded_count,
            run.tokens_before or 0,
            outcome.tokens_after,
        )
    )


def run_failed(run_id: UUID, error: Exception, *, attempts: int) -> None:
    """Nothing of the conversation has changed; say what went wrong and when it is tried again."""
    run = CompactionRun.objects.get(pk=run_id)
    code, detail = _explained(error)
    delay = JOB_TIMES.retry_delay_s(attempts)
    run.state, run.error_code, run.error = RunState.FAILED, code, detail
    run.finished_at = timezone.now()
    run.retry_at = run.finished_at + timedelta(seconds=delay) if delay is not None else None
    run.save()
    if run.operation_id and delay is None:
        operation_fail(operation_id=run.operation_id, error={"code": code, "detail": detail})
    elif run.operation_id:
        operation_progress(operation_id=run.operation_id, stage=f"failed ({code}), will be tried again", progress=0)
    publish(CompactionFailed(current_workspace_id(), run.conversation_id, run.id, code))


def _explained(error: Exception) -> tuple[str, str]:
    """A code and a sentence; an unforeseen error tells its kind only, for its text may quote what was said."""
    if isinstance(error, SoftTimeLimitExceeded):
        return "timeout", f"The compaction took longer than {JOB_TIMES.soft_limit_s} s and was cancelled."
    if isinstance(error, ContinuityError):
        return error.code, error.detail[:500]
    return "internal_error", f"The compaction failed with {type(error).__name__}."
