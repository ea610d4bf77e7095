"""Requests to remember what a conversation says."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors.policies import require_engine
from apps.common.errors import Conflict, Forbidden
from apps.conversations.selectors.access import conversation_lock_for_write
from apps.engine.policy import Policy
from apps.extraction.records import KIND
from apps.extraction.selectors.switches import OffBy, learning_of
from apps.extraction.services.positions import off_span_forget
from apps.extraction.services.scheduling import request_job
from apps.jobs.records import OperationView
from apps.jobs.selectors.operations import operation_open
from apps.jobs.services import operation_start


def extraction_request(actor: Actor, *, conversation_id: UUID, policy: Policy) -> OperationView:
    """Read a conversation's new messages for memories of its owner. A request while one is open returns that one.

    While the owner has switched it off, this reads also what was said since.
    """
    conversation = conversation_lock_for_write(actor, conversation_id)
    if conversation.owner_id != actor.user_id:
        raise Forbidden("Only the owner of a conversation can make memories from it.", code="owner_only")
    require_engine(policy)
    learning = learning_of(conversation, policy)
    _require_allowed(learning.off_by)
    if learning.off_by and learning.off_noted:
        off_span_forget(conversation_id)
    subject = str(conversation_id)
    operation = operation_open(actor, kind=KIND, subject=subject)
    operation = operation or operation_start(actor, kind=KIND, subject=subject)
    request_job(conversation_id, by_person=True)
    return operation


def _require_allowed(off_by: OffBy | None) -> None:
    if off_by is OffBy.TEMPORARY:
        raise Conflict("A temporary chat learns nothing.", code="temporary")
    if off_by is OffBy.WORKSPACE:
        raise Conflict("Memories from conversations are off in this workspace.", code="extraction_disabled")
