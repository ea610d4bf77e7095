"""Requests for a compaction regardless of the thresholds."""

from __future__ import annotations

from uuid import UUID

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.selectors.policies import require_engine
from apps.common.tenancy import current_workspace_id
from apps.compaction.models import CompactionRun, RunState, Trigger
from apps.compaction.records import RunRecord, run_record
from apps.compaction.services.events import run_announce
from apps.compaction.services.scheduling import KIND, requested_run
from apps.conversations.selectors.access import conversation_lock_for_write
from apps.engine.policy import Level, Policy
from apps.events.types import CompactionQueued
from apps.extraction.services.scheduling import extraction_schedule_if_due
from apps.jobs.services import Priority, job_request, operation_start


def compaction_request(actor: Actor, *, conversation_id: UUID, level: Level, policy: Policy) -> RunRecord:
    """Request a compaction regardless of the thresholds. A request while one is pending returns that one."""
    conversation = conversation_lock_for_write(actor, conversation_id)
    require_engine(policy)
    extraction_schedule_if_due(conversation=conversation, policy=policy, at_once=True)
    now = timezone.now()
    job_request(
        workspace_id=current_workspace_id(),
        kind=KIND,
        key=str(conversation_id),
        due_at=now,
        deadline_at=now,
        priority=Priority.PERSON,
    )
    return run_record(requested_run(conversation_id) or _queued(actor, conversation_id, level))


def _queued(actor: Actor, conversation_id: UUID, level: Level) -> CompactionRun:
    operation = operation_start(actor, kind=KIND, subject=str(conversation_id))
    run = CompactionRun.objects.create(
        conversation_id=conversation_id,
        operation_id=operation.id,
        trigger=Trigger.MANUAL,
        level=level,
        state=RunState.QUEUED,
    )
    run_announce(CompactionQueued, conversation_id=conversation_id)
    return run
