"""Stopping a compaction. It ends at once for everybody; its worker finds out at its next step, and writes nothing."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import Conflict
from apps.compaction.models import Trigger
from apps.compaction.records import RunRecord, run_record
from apps.compaction.services.run_records import run_stopped, run_unfinished
from apps.compaction.services.versions import context_lock, context_rest
from apps.conversations.selectors.access import conversation_lock_for_write
from apps.engine.policy import Policy


def compaction_stop(actor: Actor, *, conversation_id: UUID, run_id: UUID, policy: Policy) -> RunRecord:
    """End a run that waits, runs or is to be tried again. After an automatic one the conversation rests for a while."""
    conversation = conversation_lock_for_write(actor, conversation_id)
    run = run_unfinished(conversation_id, run_id)
    if run is None:
        raise Conflict("This compaction has already finished.", code="already_ended")
    if run.trigger == Trigger.AUTO:
        context_rest(context_lock(conversation), conversation, policy)
    run_stopped(run)
    return run_record(run)
