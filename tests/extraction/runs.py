"""Read conversations for memories in-process, through the functions that the worker calls."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.categories import RELATIONAL_PROFILE, Category
from apps.engine.policy import Policy
from apps.extraction.models import ExtractionCandidate, ReadPosition
from apps.extraction.records import KIND, READ_AT_ONCE
from apps.extraction.services.request import extraction_request
from apps.jobs.models import DueJob
from apps.jobs.selectors import operation_get
from apps.memory.models import MemNode, NodeType
from tests.compaction.runs import run_due_jobs


def remember(actor: Actor, conversation_id: UUID) -> dict[str, Any]:
    """Request memories of a conversation, run the job and return the operation's result."""
    nothing_at_once()
    with workspace(actor.workspace_id):
        operation = extraction_request(actor, conversation_id=conversation_id, policy=Policy())
    run_due_jobs()
    with workspace(actor.workspace_id):
        done = operation_get(actor, operation.id)
    assert done.state == "succeeded", done.error
    assert done.result is not None
    return done.result


def memories_of(actor: Actor) -> list[MemNode]:
    """The memories in use, ordered by their content; not the relational profile, nor archives of conversations, which
    workers write a minute after the last message."""
    with workspace(actor.workspace_id):
        leaves = MemNode.objects.filter(owner_id=actor.person_id, node_type=NodeType.LEAF, archived_at=None)
        leaves = leaves.exclude(uri=RELATIONAL_PROFILE.text).exclude(category=Category.SESSION)
        return list(leaves.order_by("l2_content"))


def texts_of(actor: Actor) -> list[str]:
    return [row.l2_content for row in memories_of(actor)]


def candidates_of(actor: Actor, conversation_id: UUID) -> list[ExtractionCandidate]:
    with workspace(actor.workspace_id):
        return list(ExtractionCandidate.objects.filter(conversation_id=conversation_id).order_by("id"))


def make_due() -> int:
    """Make the automatic runs due now, as if their conversations had paused, and run them."""
    nothing_at_once()
    DueJob.objects.filter(kind=KIND).update(due_at=timezone.now())
    return run_due_jobs()


def nothing_at_once() -> None:
    """Leave all reading to the runs, as where messages are imported."""
    DueJob.objects.filter(kind=READ_AT_ONCE).delete()


def position_of(actor: Actor, conversation_id: UUID) -> ReadPosition:
    with workspace(actor.workspace_id):
        return ReadPosition.objects.get(conversation_id=conversation_id)


def last_result(actor: Actor, conversation_id: UUID) -> dict[str, Any]:
    """The result of the last run, which nobody needs to have asked for."""
    result: dict[str, Any] = position_of(actor, conversation_id).run["result"]
    return result
