"""Failures that end a job: those that no further attempt can mend, and those after the last attempt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC
from uuid import UUID

from apps.common.errors import ContinuityError
from apps.common.tenancy import workspace
from apps.jobs.records import FailureReason, JobFailure
from apps.jobs.selectors.operations import operation_unfinished
from apps.jobs.services.enqueue import jobs_cancel
from apps.jobs.services.operations import operation_fail, operation_progress
from apps.jobs.services.timing import times

_LASTING = (ContinuityError, FileNotFoundError)
"""Refused input, and a file that is gone."""


@contextmanager
def final_failure(fail: Callable[[Exception], None]) -> Iterator[None]:
    """Call `fail` with an error that no further attempt can mend, which ends the job; others are raised."""
    try:
        yield
    except _LASTING as error:
        fail(error)


def operation_given_up(failure: JobFailure, *, detail: str) -> bool:
    """Show on the operation, whose id is the job's key, when the job is tried again; return whether it has ended.

    It ends after the last of these attempts, or at once if the job needs too much memory: then the operation fails, and
    the job is deleted.
    """
    operation_id = UUID(failure.key)
    with workspace(failure.workspace_id):
        if not _is_last(failure) and operation_unfinished(operation_id):
            operation_progress(operation_id=operation_id, stage=_stage(failure), progress=0)
            return False
        operation_fail(operation_id=operation_id, error={"code": failure.reason, "detail": detail})
        jobs_cancel(workspace_id=failure.workspace_id, key=failure.key)
    return True


def _is_last(failure: JobFailure) -> bool:
    return failure.reason is FailureReason.OUT_OF_MEMORY or failure.times > len(times().requeue_delays_s)


def _stage(failure: JobFailure) -> str:
    return f"Failed ({failure.reason}). Next try: {failure.retry_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
