"""Records of a run from request to outcome, and of its operation, which clients poll."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from uuid import UUID

from billiard.exceptions import SoftTimeLimitExceeded
from django.db.models import F
from django.utils import timezone

from apps.common.errors import ContinuityError
from apps.compaction.models import UNFINISHED, CompactionRun, ConversationContext, RunState, Trigger
from apps.compaction.records import run_progress
from apps.compaction.selectors.contexts import ratio_of
from apps.compaction.services.events import compaction_announce, run_announce
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_lock
from apps.engine.compaction.plan import CompactionPlan
from apps.engine.policy import Level
from apps.events.types import (
    CompactionDropped,
    CompactionFailed,
    CompactionStaged,
    CompactionStarted,
    ContextCompacted,
)
from apps.jobs.records import FailureReason
from apps.jobs.services import operation_fail, operation_progress, operation_succeed
from apps.jobs.services.timing import times
from apps.llm.middleware.metering import CallReport
from apps.llm.providers.offline import OFFLINE_MODEL


class RunStopped(Exception):
    """The run ended while it was in progress; its result must not be stored."""


_GIVEN_UP = {
    FailureReason.WORKER_LOST: "The compaction crashed several times.",
    FailureReason.CONNECTION_LOST: "The compaction lost its database several times.",
    FailureReason.OUT_OF_MEMORY: "The compaction needs too much memory.",
    FailureReason.TIME_LIMIT: "The compaction took too long several times.",
    FailureReason.INTERNAL_ERROR: "The compaction failed several times.",
}


class CompactionGivenUp(ContinuityError):
    status, title = 500, "The compaction failed"


@dataclass(frozen=True, slots=True)
class Start:
    """A run's initial state: `tokens` are live before it, `at_index` is the newest message's, `fallback_reason` is
    why the engine writes the summary although a model is configured."""

    level: Level
    model: str
    base_version: int
    tokens: int
    at_index: int | None
    fallback_reason: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    version: int
    compacted_from: int | None
    compacted_through: int | None
    compacted_count: int
    tokens_after: int
    preservation_ratio: float


def run_to_do(conversation: Conversation, *, wanted: bool) -> CompactionRun | None:
    """The oldest unfinished run (a running one was left by a worker that died), else a new one if one is wanted."""
    unfinished = CompactionRun.objects.filter(UNFINISHED, conversation_id=conversation.id).order_by("-trigger", "id")
    for run in unfinished:
        if run.trigger == Trigger.MANUAL or wanted:
            return run
        run_dropped(run)
    return CompactionRun(conversation_id=conversation.id, trigger=Trigger.AUTO) if wanted else None


def run_dropped(run: CompactionRun) -> None:
    """Delete the record of an automatic run with nothing to compact; one that failed before keeps it, and pauses."""
    stored = CompactionRun.objects.filter(pk=run.pk)
    if stored.exclude(error_code="").update(state=RunState.FAILED, retry_at=None):
        run_announce(CompactionFailed, conversation_id=run.conversation_id)
    elif stored.delete()[0]:
        run_announce(CompactionDropped, conversation_id=run.conversation_id)


def run_started(run: CompactionRun, start: Start) -> None:
    """Begin, or begin again: what went wrong before stays on record."""
    run.state, run.level, run.model = RunState.RUNNING, start.level, start.model
    run.fallback_reason = start.fallback_reason
    run.base_version, run.tokens_before, run.at_index = start.base_version, start.tokens, start.at_index
    run.started_at, run.finished_at, run.retry_at = timezone.now(), None, None
    run.save()
    run_announce(CompactionStarted, conversation_id=run.conversation_id)
    run_staged(run.id, "reading")


def run_staged(run_id: UUID, stage: str) -> None:
    """Store a run's progress; raise `RunStopped` if it was stopped."""
    # First the conversation, then the run: who stops it takes them in this order.
    conversation_lock(run_going(run_id).conversation_id)
    run = run_going(run_id)
    run.stage = stage
    run.save(update_fields=["stage"])
    if run.operation_id:
        operation_progress(operation_id=run.operation_id, stage=stage, progress=run_progress(run))
    run_announce(CompactionStaged, conversation_id=run.conversation_id)


def run_fell_back(run_id: UUID, code: str) -> None:
    """Record that the engine replaces the refused model; raise `RunStopped` if the run was stopped."""
    conversation_lock(run_going(run_id).conversation_id)
    run = run_going(run_id)
    run.model, run.fallback_reason = OFFLINE_MODEL, code
    run.save(update_fields=["model", "fallback_reason"])
    run_announce(CompactionStaged, conversation_id=run.conversation_id)


def run_paid(run_id: UUID, reports: Iterable[CallReport]) -> None:
    """Add what calls cost, as far as their prices are known; a run that is tried again sums its attempts."""
    cost = Decimal(sum(report.cost_micros or 0 for report in reports)) / 1_000_000
    CompactionRun.objects.filter(pk=run_id).update(cost=F("cost") + cost)


def run_going(run_id: UUID) -> CompactionRun:
    """The run, which still runs; raises `RunStopped` otherwise."""
    run = CompactionRun.objects.filter(pk=run_id, state=RunState.RUNNING).first()
    if run is None:
        raise RunStopped(str(run_id))
    return run


def outcome_of(plan: CompactionPlan, context: ConversationContext, conversation: Conversation) -> Outcome:
    indexes = [message.index for message in plan.messages]
    return Outcome(
        version=context.version,
        compacted_from=min(indexes, default=None),
        compacted_through=max(indexes, default=None),
        compacted_count=len(indexes),
        tokens_after=conversation.live_tokens,
        preservation_ratio=ratio_of(conversation, context.summary_tokens),
    )


def run_succeeded(run_id: UUID, outcome: Outcome) -> None:
    run = CompactionRun.objects.get(pk=run_id)
    run.state, run.finished_at = RunState.SUCCEEDED, timezone.now()
    run.version, run.compacted_count = outcome.version, outcome.compacted_count
    run.compacted_from, run.compacted_through = outcome.compacted_from, outcome.compacted_through
    run.tokens_after, run.preservation_ratio = outcome.tokens_after, outcome.preservation_ratio
    run.save()
    if run.operation_id:
        result = {"run_id": str(run.id), "version": outcome.version, "compacted_count": outcome.compacted_count}
        operation_succeed(operation_id=run.operation_id, result=result)
    compaction_announce(ContextCompacted, conversation_id=run.conversation_id)


def run_stopped(run: CompactionRun) -> None:
    """Record that a person stopped the run before it changed anything; it is not retried."""
    run.state, run.error_code, run.error = RunState.STOPPED, "stopped", "The compaction was stopped."
    run.finished_at, run.retry_at = timezone.now(), None
    run.save()
    if run.operation_id:
        operation_fail(operation_id=run.operation_id, error={"code": run.error_code, "detail": run.error})
    run_announce(CompactionDropped, conversation_id=run.conversation_id)


def run_unfinished(conversation_id: UUID, run_id: UUID) -> CompactionRun | None:
    """The run if it waits, runs, or is to be tried again."""
    return CompactionRun.objects.filter(UNFINISHED, conversation_id=conversation_id, pk=run_id).first()


def run_failed(run_id: UUID, error: Exception, *, retry_after_s: int | None) -> None:
    """Record a failure, which changed nothing of the conversation, with its reason and the time of the retry.

    The caller has locked the conversation's row, since the run could be stopped concurrently.
    """
    run = CompactionRun.objects.filter(UNFINISHED, pk=run_id).first()
    if run is None:
        # The commit was done, and only its answer was lost.
        return
    code, detail = _explained(error)
    run.state, run.error_code, run.error = RunState.FAILED, code, detail
    run.finished_at = timezone.now()
    run.retry_at = run.finished_at + timedelta(seconds=retry_after_s) if retry_after_s is not None else None
    run.save()
    if run.operation_id and retry_after_s is None:
        operation_fail(operation_id=run.operation_id, error={"code": code, "detail": detail})
    elif run.operation_id:
        operation_progress(operation_id=run.operation_id, stage=f"failed ({code}), will be tried again", progress=0)
    run_announce(CompactionFailed, conversation_id=run.conversation_id)


def runs_given_up(*, conversation_id: UUID, reason: FailureReason) -> None:
    """Record that all attempts are used up, unless a run recorded its own failure."""
    conversation_lock(conversation_id)
    error = CompactionGivenUp(_GIVEN_UP[reason], code=reason)
    for run in CompactionRun.objects.filter(UNFINISHED, conversation_id=conversation_id):
        run_failed(run.id, error, retry_after_s=None)


def _explained(error: Exception) -> tuple[str, str]:
    """An error code and a sentence; an unexpected error is named by its type only: its text may quote messages."""
    if isinstance(error, SoftTimeLimitExceeded):
        return "timeout", f"The compaction took longer than {times().soft_limit_s} s and was canceled."
    if isinstance(error, ContinuityError):
        return error.code, error.detail[:500]
    return "internal_error", f"The compaction failed unexpectedly ({type(error).__name__})."
