"""Operations that users can watch: queued first, with monotonic progress and a single outcome."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models.functions import Greatest
from django.utils import timezone

from apps.common.errors import ContinuityError
from apps.common.ids import uuid7
from apps.jobs.models import Operation, OperationState
from apps.jobs.records import OperationActor, OperationView, operation_view
from apps.jobs.selectors.operations import unfinished_operations


def operation_start(
    actor: OperationActor, *, kind: str, subject: str, operation_id: UUID | None = None
) -> OperationView:
    """Create an operation; `subject` is the id of the object that it works on."""
    row = Operation.objects.create(id=operation_id or uuid7(), user_id=actor.user_id, kind=kind, subject=subject)
    return operation_view(row)


def operation_progress(*, operation_id: UUID, stage: str, progress: int) -> None:
    """Report progress in percent; a retry with less progress changes only the stage."""
    unfinished_operations().filter(pk=operation_id).update(
        state=OperationState.RUNNING,
        stage=stage,
        progress=Greatest("progress", min(progress, 100)),
        updated_at=timezone.now(),
    )


def operation_succeed(*, operation_id: UUID, result: dict[str, Any]) -> None:
    now = timezone.now()
    unfinished_operations().filter(pk=operation_id).update(
        state=OperationState.SUCCEEDED, stage="", progress=100, result=result, updated_at=now, finished_at=now
    )


def operation_fail(*, operation_id: UUID, error: dict[str, Any]) -> None:
    """`error` has a stable `code` for programs and a `detail` for people."""
    now = timezone.now()
    unfinished_operations().filter(pk=operation_id).update(
        state=OperationState.FAILED, error=error, updated_at=now, finished_at=now
    )


def operations_fail(*, subject: str, error: dict[str, Any], kind: str = "") -> None:
    """End all unfinished operations on an object, such as one that is being deleted."""
    rows = unfinished_operations().filter(subject=subject)
    now = timezone.now()
    (rows.filter(kind=kind) if kind else rows).update(
        state=OperationState.FAILED, error=error, updated_at=now, finished_at=now
    )


def operations_delete(user_id: UUID) -> None:
    """Delete a person's operations with their results, where the person goes too."""
    Operation.objects.filter(user_id=user_id).delete()


def operation_error(error: Exception, *, what: str) -> dict[str, Any]:
    """The error to record. Of an unexpected one only the type: its text may quote what people wrote."""
    if isinstance(error, ContinuityError):
        return {"code": error.code, "detail": error.detail}
    if isinstance(error, FileNotFoundError):
        return {"code": "file_lost", "detail": "The file is no longer available. Upload it again."}
    return {"code": "internal_error", "detail": f"The {what} failed unexpectedly ({type(error).__name__})."}


def operation_write(*, operation_id: UUID, state: dict[str, Any]) -> None:
    """Store what the next run needs to continue, where the result will be."""
    unfinished_operations().filter(pk=operation_id).update(result=state)
