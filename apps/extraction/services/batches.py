"""One batch of a run: snapshot, extract with no transaction open, then lock, check again, and write.

The position advances in the transaction that stores the memories, so that no message is read twice, whatever runs at
the same time or is killed.
"""

from __future__ import annotations

from collections.abc import Sequence

from apps.common.fault_injection import fault_point
from apps.common.tenancy import workspace
from apps.conversations.models import Message
from apps.conversations.selectors.access import conversation_access, conversation_lock
from apps.engine.extraction.parts import is_read_in_part
from apps.extraction.services.already_read import without_read
from apps.extraction.services.comparing.similar import Similar, similar_to
from apps.extraction.services.events import memories_announce
from apps.extraction.services.plan import ModelFailed, Plan, plan_of, reader_awaited
from apps.extraction.services.positions import position_advance, position_lock
from apps.extraction.services.relational import profile_note
from apps.extraction.services.run_records import Counts, Run, run_check, run_note, run_waits
from apps.extraction.services.snapshot import Snapshot, snapshot_take, with_known
from apps.extraction.services.store import candidates_store
from apps.jobs.services import Lease, job_progress


def batch_read(lease: Lease, run: Run) -> bool:
    """Read the next messages and store what they hold; return whether there were any."""
    with workspace(lease.workspace_id):
        # Fewer messages after each run that was lost or failed: one of them may be what no run can read in its time.
        snapshot = snapshot_take(run.conversation_id, attempt=lease.attempts + lease.lost_runs)
        if snapshot is None:
            return False
        # Before a model is paid, and again before anything is stored.
        run_check(run, conversation_access(run.actor, run.conversation_id))
    snapshot = with_known(run.actor, run.conversation_id, snapshot)
    plan, similar = _planned(lease, run, snapshot)
    fault_point("extraction.before_write")
    with workspace(lease.workspace_id):
        _write(run, snapshot, plan, similar)
        job_progress(lease, done=len(snapshot.rows))
        fault_point("extraction.before_commit")
    return True


def _planned(lease: Lease, run: Run, snapshot: Snapshot) -> tuple[Plan, Similar]:
    """What was found and what is near it; raises `ModelFailed` if the messages wait for a model or for the reader."""
    try:
        plan = plan_of(snapshot, attempt=lease.attempts)
        with reader_awaited():
            return plan, similar_to(run.actor, run.conversation_id, plan.found, by_reader=plan.is_by_reader)
    except ModelFailed as failure:
        with workspace(lease.workspace_id):
            run_waits(run, failure.code)
        raise


def _write(run: Run, snapshot: Snapshot, plan: Plan, similar: Similar) -> None:
    """Store the memories, the candidates and the position; nothing if another run was faster, or if a message that
    a model saw was excluded since: the next batch reads anew."""
    conversation = conversation_lock(run.conversation_id)
    run_check(run, conversation)
    position, before = position_lock(run.conversation_id), snapshot.position
    if (position.next_index, position.skipped) != (before.next_index, before.skipped):
        return
    read = _still_included(snapshot.rows)
    if snapshot.account and len(read) + len(_still_included(snapshot.earlier)) < len(snapshot.rows) + len(
        snapshot.earlier
    ):
        return
    new, at_once = without_read(similar.found, read, by_reader=plan.is_by_reader)
    candidates_store(run.actor, conversation_id=run.conversation_id, run_id=run.id, found=new, similar=similar)
    included = [row for row in snapshot.rows if str(row.id) in read]
    profile_note(run.actor, conversation_id=run.conversation_id, messages=included)
    position_advance(position, [row.index for row in snapshot.rows], read.values(), extractor=plan.extractor)
    read_in_part = sum(is_read_in_part(row.content) for row in included)
    counts = Counts(messages=len(read), read_in_part=read_in_part, at_once=at_once)
    run_note(run, position, counts, model_unavailable=plan.model_unavailable)
    # Also if nothing was found: clients show how far a conversation was read.
    memories_announce(conversation)


def _still_included(rows: Sequence[Message]) -> dict[str, int]:
    """Return ids and indexes of the messages that nobody excluded since they were read."""
    included = Message.objects.filter(pk__in=[row.id for row in rows], excluded=False)
    return {str(message_id): index for message_id, index in included.values_list("pk", "index")}
