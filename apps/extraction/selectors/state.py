"""The state of extraction of a conversation: switches, position, unread messages, and the last run."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import NotFound
from apps.common.tenancy import current_workspace_id
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import own_conversations
from apps.engine.extraction.extract import EXTRACTOR
from apps.engine.policy import Policy
from apps.extraction.extractors.prompt import CURRENT
from apps.extraction.models import ReadPosition
from apps.extraction.records import (
    FAILURES,
    KIND,
    MODEL_FAILED,
    READ_AT_ONCE,
    ExtractionState,
    RunFailure,
    RunSummary,
)
from apps.extraction.selectors.switches import learning_of
from apps.extraction.selectors.unread import unread_rows
from apps.jobs.models import JobState
from apps.jobs.records import FailureReason, JobView
from apps.jobs.selectors import job_find

# The class of `services.plan.ModelFailed`, by which it is recorded.
_MODEL_FAILED = "ModelFailed"


def extraction_state(actor: Actor, conversation_id: UUID, *, policy: Policy) -> ExtractionState:
    """Return the state of one's own conversation."""
    conversation = own_conversation(actor, conversation_id)
    position = ReadPosition.objects.filter(conversation_id=conversation_id).first()
    position = position or ReadPosition(conversation_id=conversation_id, extractor=EXTRACTOR)
    last_run = _last_run(position)
    if position.extractor not in CURRENT:
        position.next_index, position.skipped = 0, []
    job = job_find(workspace_id=actor.workspace_id, kind=KIND, key=str(conversation_id))
    return ExtractionState(
        off_by=learning_of(conversation, policy).off_by or "",
        next_index=position.next_index,
        unread_messages=unread_rows(position).count(),
        due_at=job.due_at if job and not job.is_running else None,
        is_running=bool(job and job.is_running),
        is_being_read=is_being_read(conversation_id),
        failure=_failure(job) if job and job.last_error else None,
        last_run=last_run,
    )


def is_being_read(conversation_id: UUID) -> bool:
    """Whether the job that reads what was just said waits or runs."""
    job = job_find(workspace_id=current_workspace_id(), kind=READ_AT_ONCE, key=str(conversation_id))
    return job is not None and job.state == JobState.DUE


def _failure(job: JobView) -> RunFailure:
    code = MODEL_FAILED if job.last_error == _MODEL_FAILED else FailureReason.of(job.last_error).value
    return RunFailure(code, FAILURES[code], job.state == JobState.DEAD, job.due_at)


def own_conversation(actor: Actor, conversation_id: UUID) -> Conversation:
    row = own_conversations(actor).filter(pk=conversation_id).first()
    if row is None:
        raise NotFound("Conversation not found.")
    return row


def _last_run(position: ReadPosition) -> RunSummary | None:
    """The last run that has ended; of one that is being done nothing is known yet."""
    run, result = position.run, position.run.get("result")
    if result is None or position.ran_at is None:
        return None
    # Results of earlier versions have no `read_in_part`.
    return RunSummary(UUID(run["id"]), run["requested"], position.ran_at, {"read_in_part": 0} | result)
