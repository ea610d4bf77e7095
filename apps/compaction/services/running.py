"""One run of a compaction: snapshot, plan, summarise with no transaction open, then lock, check again, and write.

Whoever writes must still hold the job's lease, and the summary must be the version that the snapshot saw; so two runs
never both win, and a killed one leaves nothing behind but its record, which the next attempt takes up.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone

from apps.accounts.selectors import policy_for_workspace
from apps.common.faults import fault_point
from apps.common.tenancy import workspace
from apps.compaction.models import Trigger, VersionCause
from apps.compaction.selectors.contexts import context_state, excluded_among
from apps.compaction.selectors.windows import fold_window
from apps.compaction.services.runs import (
    RunStopped,
    Start,
    outcome_of,
    run_dropped,
    run_failed,
    run_fell_back,
    run_going,
    run_paid,
    run_staged,
    run_started,
    run_succeeded,
    run_to_do,
)
from apps.compaction.services.scheduling import compaction_want, is_wanted
from apps.compaction.services.summarising import REFUSALS, account_of, summarised, summariser_for
from apps.compaction.services.versions import (
    NewVersion,
    context_lock,
    context_refresh,
    covered_through,
    version_store,
)
from apps.conversations.selectors.access import conversation_lock
from apps.conversations.services.messages import messages_fold
from apps.conversations.services.replies import turn_runs
from apps.engine.corrections import with_corrections
from apps.engine.folding import FoldPlan, plan_automatic, plan_manual
from apps.engine.messages import Message
from apps.engine.policy import Level, Policy
from apps.engine.succession import Because, Notes, departed, told_of
from apps.engine.summary import RollingSummary, without_sources
from apps.jobs.services import Later, Lease, LeaseLost, job_complete, lease_fence
from apps.llm.errors import ModelError
from apps.llm.services import CallAccount

_WAIT_FOR_TURN_S = 2


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What one run works on, copied out of the database. With nothing to fold, the live messages are read again."""

    run_id: UUID
    conversation_id: UUID
    version: int
    summary: RollingSummary
    messages: tuple[Message, ...]
    folds: FoldPlan
    level: Level
    policy: Policy
    account: CallAccount | None


def compaction_run(lease: Lease) -> None:
    """Carry out what the job asks for: a run that somebody requested, or else the automatic one if it is still due."""
    with workspace(lease.workspace_id):
        snapshot = _snapshot(lease)
    if snapshot is None:
        return
    try:
        _carry_out(lease, snapshot)
    except (Later, LeaseLost):
        raise
    except RunStopped:
        with workspace(lease.workspace_id):
            lease_fence(lease)
        return
    except Exception as error:
        with workspace(lease.workspace_id):
            conversation_lock(snapshot.conversation_id)
            lease_fence(lease)
            run_failed(snapshot.run_id, error, attempts=lease.attempts)
        raise
    fault_point("compaction.after_commit")


def _carry_out(lease: Lease, snapshot: Snapshot) -> None:
    _stage(lease, snapshot, "writing")
    fault_point("compaction.before_summary")
    notes = _summarised(lease, snapshot)
    fault_point("compaction.after_summary")
    _stage(lease, snapshot, "checking")
    notes = _corrected(notes, snapshot)
    _stage(lease, snapshot, "storing")
    with workspace(lease.workspace_id):
        _write(lease, snapshot, notes)
        fault_point("compaction.before_commit")


def _stage(lease: Lease, snapshot: Snapshot, stage: str) -> None:
    """Say how far it is, unless it was stopped."""
    with workspace(lease.workspace_id):
        run_staged(snapshot.run_id, stage)


def _snapshot(lease: Lease) -> Snapshot | None:
    conversation = conversation_lock(UUID(lease.key))
    policy = policy_for_workspace()
    if turn_runs(conversation):
        raise Later(_WAIT_FOR_TURN_S, policy.compaction_max_wait_s)
    run = run_to_do(conversation, wanted=is_wanted(conversation, policy))
    if run is None:
        return None
    window, tokens = fold_window(conversation, policy), conversation.live_tokens
    level = Level(run.level) if run.level else policy.level_for(tokens)
    manual = run.trigger == Trigger.MANUAL
    writer = summariser_for(attempt=lease.attempts, live_tokens=tokens, policy=policy)
    slices = writer.slices(policy)
    plan = plan_manual(window, slices) if manual else plan_automatic(window, level, slices)
    if not (plan.messages or manual):
        run_dropped(run)
        return None
    state, messages = context_state(conversation.id), plan.messages or window.oldest
    writer = writer.reading(messages, policy)
    newest = conversation.message_count - 1 if conversation.message_count else None
    run_started(run, Start(level, writer.model, state.version, tokens, newest, writer.fell_back))
    return Snapshot(
        run_id=run.id,
        conversation_id=conversation.id,
        version=state.version,
        summary=state.summary,
        messages=messages,
        folds=plan,
        level=level,
        policy=policy,
        account=account_of(writer.chosen, workspace_id=lease.workspace_id, conversation_id=conversation.id),
    )


def _summarised(lease: Lease, snapshot: Snapshot) -> Notes:
    """By the engine where the model may not be asked after all, as when others spent meanwhile what was left."""
    work = snapshot.summary, snapshot.messages, snapshot.level, snapshot.policy
    try:
        return summarised(*work, snapshot.account)
    except ModelError as error:
        if error.code not in REFUSALS:
            raise
        refusal = error.code
    finally:
        _pay(lease, snapshot)
    with workspace(lease.workspace_id):
        conversation_lock(snapshot.conversation_id)
        lease_fence(lease)
        run_fell_back(snapshot.run_id, refusal)
    return summarised(*work, None)


def _pay(lease: Lease, snapshot: Snapshot) -> None:
    """What was asked was paid for, whatever becomes of the run."""
    account = snapshot.account
    if account is not None and account.chosen.reports:
        with workspace(lease.workspace_id):
            run_paid(snapshot.run_id, account.chosen.reports)


def _corrected(notes: Notes, snapshot: Snapshot) -> Notes:
    """With what a person wrote, and a reason for every line that left or was not let in."""
    summary = with_corrections(notes.summary, snapshot.summary, snapshot.policy)
    left = departed(snapshot.summary, summary, told_of(snapshot.summary, notes.gone), snapshot.policy)
    refused = (gone for gone in notes.gone if gone.because is Because.INSTRUCTION)
    return Notes(summary, (*left, *refused))


def _write(lease: Lease, snapshot: Snapshot, notes: Notes) -> None:
    """Store summary, marks and run together, or nothing: locks in the order conversation, job, context."""
    conversation = conversation_lock(snapshot.conversation_id)
    lease_fence(lease)
    run_going(snapshot.run_id)
    context = context_lock(conversation)
    if context.version != snapshot.version:
        raise Later(0, snapshot.policy.compaction_max_wait_s)
    summary = without_sources(notes.summary, excluded_among(conversation.id, notes.summary))
    through = max((message.index for message in snapshot.folds.messages), default=None)
    before = covered_through(conversation.id)
    covers = max((index for index in (through, before) if index is not None), default=None)
    version = version_store(context, NewVersion(summary, VersionCause.COMPACTION, covers, notes.gone)).version
    if not messages_fold(conversation=conversation, message_ids=snapshot.folds.ids, version=version):
        raise Later(0, snapshot.policy.compaction_max_wait_s)
    context.last_compaction_at = timezone.now()
    context.compaction_count += 1
    context.rests_below = None
    context.save(update_fields=["last_compaction_at", "compaction_count", "rests_below"])
    context_refresh(context, conversation)
    run_succeeded(snapshot.run_id, outcome_of(snapshot.folds, context, conversation))
    debounce_s, max_wait_s = snapshot.policy.compaction_debounce_s, snapshot.policy.compaction_max_wait_s
    job_complete(lease, debounce_s=debounce_s, max_wait_s=max_wait_s)
    compaction_want(conversation=conversation, policy=snapshot.policy, at_once=not snapshot.folds.complete)
