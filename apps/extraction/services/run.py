"""The job that reads a conversation for memories: for the person who asked for it, or else if it is due.

One run reads some messages at a time (`batches.py`). A killed one leaves its position behind, and the next attempt goes
on from there.
"""

from __future__ import annotations

from uuid import UUID

import structlog

from apps.accounts.selectors import policy_for_workspace
from apps.common.errors import ContinuityError
from apps.common.tenancy import workspace
from apps.extraction.records import KIND
from apps.extraction.services.batches import batch_read
from apps.extraction.services.run_records import Run, SwitchedOff, run_begin, run_end
from apps.extraction.services.scheduling import request_job
from apps.jobs.models import Operation
from apps.jobs.records import FailureReason, JobFailure
from apps.jobs.selectors.operations import operation_requested
from apps.jobs.services import (
    Lease,
    RescheduleJob,
    TimeSlice,
    job_complete,
    lease_fence,
    operation_fail,
    operations_fail,
)

_RUN_S = 10
_GIVEN_UP = {
    FailureReason.WORKER_LOST: "The run stopped its worker too often.",
    FailureReason.CONNECTION_LOST: "The run lost its database several times.",
    FailureReason.OUT_OF_MEMORY: "The messages need more memory than a worker may use.",
    FailureReason.TIME_LIMIT: "Reading the messages took too long several times.",
    FailureReason.INTERNAL_ERROR: "The run failed several times.",
}
_log = structlog.get_logger("continuity.extraction")


def extraction_run(lease: Lease) -> None:
    """Work for a while; raises `RescheduleJob` while messages remain unread."""
    with workspace(lease.workspace_id):
        operation = operation_requested(kind=KIND, subject=lease.key)
    try:
        _read(lease, operation)
    except ContinuityError as error:
        # The conversation was deleted, or its owner may no longer write: another attempt would change nothing.
        _log.info("extraction.refused", conversation_id=lease.key, code=error.code)
        _fail(lease, operation, {"code": error.code, "detail": error.detail})


def extraction_given_up(failure: JobFailure) -> None:
    error = {"code": failure.reason, "detail": _GIVEN_UP[failure.reason]}
    with workspace(failure.workspace_id):
        operations_fail(kind=KIND, subject=failure.key, error=error)


def _read(lease: Lease, operation: Operation | None) -> None:
    time_slice = TimeSlice(lease, _RUN_S)
    with workspace(lease.workspace_id):
        run = run_begin(UUID(lease.key), operation)
    if run is not None:
        _finish(lease, run, off=_is_interrupted(lease, run, time_slice))


def _is_interrupted(lease: Lease, run: Run, time_slice: TimeSlice) -> bool:
    """Read until no message is left; return whether it was switched off before."""
    try:
        while batch_read(lease, run):
            if time_slice.is_over():
                raise RescheduleJob(0)
    except SwitchedOff:
        return True
    return False


def _finish(lease: Lease, run: Run, *, off: bool) -> None:
    """Store the result and complete the job, which runs again at once if somebody asked for that since it began."""
    with workspace(lease.workspace_id):
        run_end(run, off=off)
        policy = policy_for_workspace()
        lease_fence(lease)
        job_complete(lease, debounce_s=policy.extraction_pause_s, max_wait_s=policy.extraction_max_wait_s)
        if operation_requested(kind=KIND, subject=lease.key):
            request_job(run.conversation_id, by_person=True)


def _fail(lease: Lease, operation: Operation | None, error: dict[str, str]) -> None:
    if operation is not None:
        with workspace(lease.workspace_id):
            lease_fence(lease)
            operation_fail(operation_id=operation.id, error=error)
