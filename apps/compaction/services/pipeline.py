"""One run of a compaction: snapshot, plan, summarize with no transaction open, then lock, check again, and write.

The writer must still have the job's lease, and the summary the version in the snapshot; so two runs
never both win, and a killed one leaves nothing behind but its record, which the next attempt takes up.
"""

from __future__ import annotations

from apps.common.fault_injection import fault_point
from apps.common.tenancy import workspace
from apps.compaction.services.completion import Compacted, compaction_store
from apps.compaction.services.run_records import (
    RunStopped,
    run_failed,
    run_fell_back,
    run_going,
    run_paid,
    run_staged,
)
from apps.compaction.services.scheduling import compaction_schedule_if_due
from apps.compaction.services.snapshots import Snapshot, snapshot_take
from apps.compaction.services.summarizer import REFUSALS, notes_corrected, summarized
from apps.compaction.services.versions import (
    context_lock,
)
from apps.conversations.selectors.access import conversation_lock
from apps.engine.summary.carry_over import Notes
from apps.jobs.services import Lease, LeaseLost, RescheduleJob, job_complete, lease_fence, retry_after_s
from apps.llm.errors import ModelError


def compaction_run(lease: Lease) -> None:
    """Run the requested compaction, or else the automatic one if it is still due."""
    with workspace(lease.workspace_id):
        snapshot = snapshot_take(lease)
    if snapshot is None:
        return
    try:
        _carry_out(lease, snapshot)
    except (RescheduleJob, LeaseLost):
        raise
    except RunStopped:
        with workspace(lease.workspace_id):
            lease_fence(lease)
        return
    except Exception as error:
        delay_s = retry_after_s(lease, error)
        with workspace(lease.workspace_id):
            conversation_lock(snapshot.conversation_id)
            lease_fence(lease)
            run_failed(snapshot.run_id, error, retry_after_s=delay_s)
        raise
    fault_point("compaction.after_commit")


def _carry_out(lease: Lease, snapshot: Snapshot) -> None:
    _stage(lease, snapshot, "writing")
    fault_point("compaction.before_summary")
    notes = _summarized(lease, snapshot)
    fault_point("compaction.after_summary")
    _stage(lease, snapshot, "checking")
    notes = notes_corrected(notes, snapshot.summary, snapshot.policy)
    _stage(lease, snapshot, "storing")
    with workspace(lease.workspace_id):
        _write(lease, snapshot, notes)
        fault_point("compaction.before_commit")


def _stage(lease: Lease, snapshot: Snapshot, stage: str) -> None:
    """Report progress, unless the run was stopped."""
    with workspace(lease.workspace_id):
        run_staged(snapshot.run_id, stage)


def _summarized(lease: Lease, snapshot: Snapshot) -> Notes:
    """Fall back to the engine if the model may no longer be called, e.g. because the budget was spent concurrently."""
    work = snapshot.summary, snapshot.messages, snapshot.level, snapshot.policy
    try:
        return summarized(*work, snapshot.account)
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
    return summarized(*work, None)


def _pay(lease: Lease, snapshot: Snapshot) -> None:
    """Record the calls in the usage ledger, whatever the outcome of the run."""
    account = snapshot.account
    if account is not None and account.chosen.reports:
        with workspace(lease.workspace_id):
            run_paid(snapshot.run_id, account.chosen.reports)


def _write(lease: Lease, snapshot: Snapshot, notes: Notes) -> None:
    """Store the summary, the compacted messages and the run, or nothing. Lock order: conversation, job, context."""
    conversation = conversation_lock(snapshot.conversation_id)
    lease_fence(lease)
    run_going(snapshot.run_id)
    context = context_lock(conversation)
    if context.version != snapshot.version:
        raise RescheduleJob(0, snapshot.policy.compaction_max_wait_s)
    if not compaction_store(context, conversation, Compacted(snapshot.run_id, snapshot.plan, notes)):
        raise RescheduleJob(0, snapshot.policy.compaction_max_wait_s)
    debounce_s, max_wait_s = snapshot.policy.compaction_debounce_s, snapshot.policy.compaction_max_wait_s
    job_complete(lease, debounce_s=debounce_s, max_wait_s=max_wait_s)
    compaction_schedule_if_due(conversation=conversation, policy=snapshot.policy, at_once=not snapshot.plan.complete)
