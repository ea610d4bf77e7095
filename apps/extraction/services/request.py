"""Requests to remember what a conversation says."""

from __future__ import annotations

from uuid import UUID

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.selectors.policies import require_engine
from apps.common.errors import Forbidden
from apps.conversations.selectors.access import conversation_lock_for_write
from apps.engine.policy import Policy
from apps.jobs.records import OperationView
from apps.jobs.selectors.operations import operation_open
from apps.jobs.services import Priority, job_request, operation_start

KIND = "extraction"


def extraction_request(actor: Actor, *, conversation_id: UUID, policy: Policy) -> OperationView:
    """Read a conversation's new messages for memories of its owner. A request while one is open returns that one."""
    conversation = conversation_lock_for_write(actor, conversation_id)
    if conversation.owner_id != actor.user_id:
        raise Forbidden("Only the owner of a conversation can make memories from it.", code="owner_only")
    require_engine(policy)
    subject = str(conversation_id)
    return operation_open(actor, kind=KIND, subject=subject) or _started(actor, subject)


def _started(actor: Actor, subject: str) -> OperationView:
    operation = operation_start(actor, kind=KIND, subject=subject)
    now = timezone.now()
    job_request(
        workspace_id=actor.workspace_id,
        kind=KIND,
        key=str(operation.id),
        due_at=now,
        deadline_at=now,
        priority=Priority.PERSON,
    )
    return operation
