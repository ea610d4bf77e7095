"""The job that reads a conversation for memories, some messages at a time.

The conversation's position is locked while the memories of a batch are written, and advances in the same transaction,
so that no message is read twice, whatever runs at the same time or is killed.
"""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors.users import actor_in
from apps.common.errors import ContinuityError, NotFound
from apps.common.fault_injection import fault_point
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation
from apps.engine.extraction.extract import EXTRACTOR, extract
from apps.extraction.models import ReadPosition
from apps.extraction.selectors.candidates import run_counts
from apps.extraction.selectors.unread import own_name, unread_messages, utterances_of
from apps.extraction.services.store import candidates_store
from apps.jobs.models import Operation
from apps.jobs.selectors.operations import operation_unfinished
from apps.jobs.services import (
    Lease,
    LeaseLost,
    RescheduleJob,
    TimeSlice,
    lease_fence,
    operation_fail,
    operation_progress,
    operation_succeed,
)
from apps.jobs.services.timing import times

_RUN_S = 10


def extraction_run(lease: Lease) -> None:
    """Work for a while; raises `RescheduleJob` while messages remain unread."""
    with workspace(lease.workspace_id):
        operation = operation_unfinished(UUID(lease.key))
    if operation is None:
        return
    try:
        _read(lease, operation)
    except (RescheduleJob, LeaseLost):
        raise
    except ContinuityError as error:
        _give_up(lease, operation, {"code": error.code, "detail": error.detail})
    except Exception:
        # The job runs again, unless this was its last attempt.
        if times().retry_delay_s(lease.attempts) is None:
            _give_up(lease, operation, {"code": "internal_error", "detail": "The run failed several times."})
        raise


def _give_up(lease: Lease, operation: Operation, error: dict[str, str]) -> None:
    with workspace(lease.workspace_id):
        lease_fence(lease)
        operation_fail(operation_id=operation.id, error=error)


def extraction_given_up(workspace_id: UUID, key: str, reason: str) -> None:
    with workspace(workspace_id):
        operation_fail(
            operation_id=UUID(key), error={"code": reason, "detail": "The run stopped its worker too often."}
        )


def _read(lease: Lease, operation: Operation) -> None:
    time_slice = TimeSlice(lease, _RUN_S)
    with workspace(lease.workspace_id):
        actor = actor_in(operation.user_id or UUID(int=0), lease.workspace_id)
    while _batch(lease, actor, operation):
        if time_slice.is_over():
            raise RescheduleJob(0)
    with workspace(lease.workspace_id):
        lease_fence(lease)
        operation_succeed(operation_id=operation.id, result=run_counts(operation.id, messages=_read_so_far(operation)))


def _batch(lease: Lease, actor: Actor, operation: Operation) -> bool:
    """Read one batch of messages and store what they hold; return whether there were any."""
    conversation_id = UUID(operation.subject)
    with workspace(lease.workspace_id):
        position = _position_lock(conversation_id)
        rows = unread_messages(conversation_id, position.next_index)
        if not rows:
            return False
        found = extract(utterances_of(rows, own_name(conversation_id)))
        candidates_store(actor, conversation_id=conversation_id, run_id=operation.id, found=found)
        position.next_index, position.extractor = rows[-1].index + 1, EXTRACTOR
        position.save()
        _note_progress(operation, len(rows), conversation_id, position.next_index)
        lease_fence(lease)
        fault_point("extraction.before_commit")
    return True


def _position_lock(conversation_id: UUID) -> ReadPosition:
    """Lock the conversation's position; that of an older extractor begins at the first message again."""
    if not Conversation.objects.filter(pk=conversation_id).exists():
        raise NotFound("Conversation not found.")
    ReadPosition.objects.get_or_create(conversation_id=conversation_id, defaults={"extractor": EXTRACTOR})
    position = ReadPosition.objects.select_for_update(no_key=True).get(conversation_id=conversation_id)
    if position.extractor != EXTRACTOR:
        position.next_index = 0
    return position


def _note_progress(operation: Operation, count: int, conversation_id: UUID, next_index: int) -> None:
    total = Conversation.objects.values_list("message_count", flat=True).get(pk=conversation_id)
    read = _read_so_far(operation) + count
    operation.result = {"messages": read}
    Operation.objects.filter(pk=operation.id).update(result=operation.result)
    percent = 99 * next_index // max(total, next_index)
    operation_progress(operation_id=operation.id, stage=f"{read} messages read", progress=percent)


def _read_so_far(operation: Operation) -> int:
    return int((operation.result or {}).get("messages", 0))
