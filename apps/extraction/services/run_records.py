"""Records of a run: beside the position that it reached, and in the operation of the person who asked for it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from uuid import UUID

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.accounts.selectors.users import actor_in
from apps.common.ids import uuid7
from apps.common.tenancy import current_workspace_id
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_lock, conversation_lock_if_there
from apps.extraction.models import ReadPosition
from apps.extraction.selectors.candidates import run_counts
from apps.extraction.selectors.switches import learning_of
from apps.extraction.selectors.unread import unread_rows
from apps.extraction.services.positions import off_span_end, position_lock
from apps.jobs.models import Operation
from apps.jobs.services import operation_progress, operation_succeed


class SwitchedOff(Exception):
    """Nothing more may be learned; what was not stored yet is not."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run for the owner of a conversation; one that nobody asked for has no `operation`."""

    id: UUID
    conversation_id: UUID
    actor: Actor
    operation: Operation | None


@dataclass(frozen=True, slots=True)
class Counts:
    """Messages that were read, those of them whose middle was not, and memories stored at once before."""

    messages: int = 0
    read_in_part: int = 0
    at_once: int = 0


def run_begin(conversation_id: UUID, operation: Operation | None) -> Run | None:
    """Begin a run, or go on with one that was interrupted; None if nobody asked for one and none is due."""
    conversation = conversation_lock(conversation_id)
    learning = learning_of(conversation, policy_for_workspace())
    if learning.off_by is None and learning.off_noted:
        off_span_end(conversation_id, conversation.message_count)
    position = position_lock(conversation_id)
    interrupted = _interrupted_run(position)
    if operation is None and interrupted is None and (learning.off_by or not unread_rows(position).exists()):
        return None
    run_id = operation.id if operation is not None else interrupted or uuid7()
    if position.run.get("id") != str(run_id):
        position.run = {"id": str(run_id), "requested": operation is not None, **asdict(Counts())}
    position.save()
    return Run(run_id, conversation_id, actor_in(conversation.owner_id, current_workspace_id()), operation)


def run_at_once(conversation_id: UUID) -> Run | None:
    """A run over the newest messages that notes nothing; None if the conversation is gone, or nothing is learned."""
    conversation = conversation_lock_if_there(conversation_id)
    if conversation is None or learning_of(conversation, policy_for_workspace()).off_by is not None:
        return None
    return Run(uuid7(), conversation_id, actor_in(conversation.owner_id, current_workspace_id()), None)


def run_note(run: Run, position: ReadPosition, counts: Counts, *, model_unavailable: str = "") -> None:
    """Store the position, with what was read so far, and why a model did not read some of it."""
    position.run |= {name: position.run.get(name, 0) + count for name, count in asdict(counts).items()}
    read = position.run["messages"]
    position.run |= {"model_unavailable": model_unavailable} if model_unavailable else {}
    position.save()
    if run.operation is not None:
        total = Conversation.objects.values_list("message_count", flat=True).get(pk=run.conversation_id)
        percent = 99 * position.next_index // max(total, position.next_index, 1)
        operation_progress(operation_id=run.operation.id, stage=f"{read} messages read", progress=percent)


def run_waits(run: Run, code: str) -> None:
    """Tell the person who asked for the run that it waits for the model, which failed."""
    if run.operation is not None:
        operation_progress(operation_id=run.operation.id, stage=f"waiting for the model ({code})", progress=0)


def run_check(run: Run, conversation: Conversation) -> None:
    """Raise `SwitchedOff` if it was switched off since the run began; what a person asked for is read nevertheless."""
    off_by = learning_of(conversation, policy_for_workspace()).off_by
    if off_by is not None and not (run.operation and off_by.is_personal):
        raise SwitchedOff


def run_end(run: Run, *, off: bool) -> None:
    """Store the result: what was read and stored, and why nothing was stored if so."""
    conversation_lock(run.conversation_id)
    position = position_lock(run.conversation_id)
    noted = position.run
    result = run_counts(run.id, messages=noted["messages"], at_once=noted.get("at_once", 0), off=off)
    result |= {"read_in_part": noted.get("read_in_part", 0), "model_unavailable": noted.get("model_unavailable", "")}
    position.run, position.ran_at = noted | {"result": result}, timezone.now()
    position.save()
    if run.operation is not None:
        operation_succeed(operation_id=run.operation.id, result=result)


def _interrupted_run(position: ReadPosition) -> UUID | None:
    """The id of a run that nobody asked for and that has not ended."""
    run = position.run
    return UUID(run["id"]) if run and "result" not in run and not run["requested"] else None
