"""The job that reads uploaded files and imports their items, slice by slice."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NoReturn
from uuid import UUID

from apps.accounts.selectors.users import actor_in
from apps.common.fault_injection import fault_point
from apps.common.tenancy import workspace
from apps.engine.json_input.lenient import lenient_value
from apps.jobs.models import Operation
from apps.jobs.records import FailureReason, JobFailure
from apps.jobs.selectors.operations import operation_unfinished
from apps.jobs.services import (
    Lease,
    RescheduleJob,
    TimeSlice,
    final_failure,
    job_complete,
    job_progress,
    lease_fence,
    operation_error,
    operation_fail,
    operation_given_up,
    operation_progress,
    operation_succeed,
    operation_write,
)
from apps.transfer.files.preparation import files_recognize, items_prepare
from apps.transfer.files.report import FileReport
from apps.transfer.files.uploads import USE_COMMAND
from apps.transfer.formats.items import ImportSource
from apps.transfer.services.imports.files import (
    FileImportState,
    earlier_items,
    files_remove,
    items_file,
    uploaded_folder,
)
from apps.transfer.services.imports.run import items_import

SLICE_S = 12.0
_WHAT = "import"
_READING = "Reading the files: {items} items"
_GIVEN_UP = {
    FailureReason.WORKER_LOST: f"The import stopped its worker several times. {USE_COMMAND}",
    FailureReason.CONNECTION_LOST: "The import lost its database several times. Try again.",
    FailureReason.OUT_OF_MEMORY: f"The files need more memory than a worker may use. {USE_COMMAND}",
    FailureReason.TIME_LIMIT: f"Reading the files took too long several times. {USE_COMMAND}",
    FailureReason.INTERNAL_ERROR: "The import failed several times.",
}


def file_import_slice(lease: Lease) -> None:
    """Read or import for some seconds; raises `RescheduleJob` while there is more."""
    with workspace(lease.workspace_id):
        operation = Operation.objects.filter(pk=UUID(lease.key)).first()
    if operation is None or operation.finished_at is not None:
        files_remove(UUID(lease.key))
        return
    with final_failure(partial(_fail, lease, operation)):
        _work(lease, operation)


def file_import_given_up(failure: JobFailure) -> None:
    """Show when the import is tried again; after the last attempt, fail it. What it stored remains."""
    if operation_given_up(failure, detail=_GIVEN_UP[failure.reason]):
        files_remove(UUID(failure.key))


def _work(lease: Lease, operation: Operation) -> None:
    state = FileImportState.from_json(operation.result or {})
    time_slice = TimeSlice(lease, SLICE_S)
    report = _read(lease, operation, state, time_slice)
    _store(lease, operation, state, report, time_slice)
    with workspace(lease.workspace_id):
        lease_fence(lease)
        operation_succeed(operation_id=operation.id, result=report.to_json())
        job_complete(lease)
    files_remove(operation.id)


def _read(lease: Lease, operation: Operation, state: FileImportState, time_slice: TimeSlice) -> FileReport:
    """Read the files, or continue to; return the report, which then knows the number of items."""
    request, folder = state.request, uploaded_folder(operation.id)
    if state.report is None:
        state.report = files_recognize(
            folder, source=request.source, import_id=request.import_id, dry_run=request.dry_run
        )
        if time_slice.is_over():
            _write_and_continue(lease, operation, state)
    report, preparation = state.report, state.preparation
    if not preparation.is_complete:
        items_prepare(folder, items_file(operation.id), report, preparation, time_slice.is_over)
        with workspace(lease.workspace_id):
            job_progress(lease)
            stage = _stage(report) if preparation.is_complete else _READING.format(items=report.items)
            operation_progress(operation_id=operation.id, stage=stage, progress=0)
            operation_write(operation_id=operation.id, state=state.to_json())
    if not preparation.is_complete:
        raise RescheduleJob(0)
    return report


def _write_and_continue(lease: Lease, operation: Operation, state: FileImportState) -> NoReturn:
    """Store what was recognized, since unpacking and reading may together take longer than a worker may run."""
    with workspace(lease.workspace_id):
        lease_fence(lease)
        operation_write(operation_id=operation.id, state=state.to_json())
    raise RescheduleJob(0)


def _store(
    lease: Lease, operation: Operation, state: FileImportState, report: FileReport, time_slice: TimeSlice
) -> None:
    actor = actor_in(operation.user_id or UUID(int=0), lease.workspace_id)
    earlier = earlier_items(operation.id) if state.request.dry_run else None
    for line in _lines(operation.id, state.offset):
        batch = lenient_value(line.decode())
        with workspace(lease.workspace_id):
            if operation_unfinished(operation.id) is None:
                raise RescheduleJob(0)
            results = items_import(
                actor,
                source=ImportSource(report.source),
                import_id=state.request.import_id,
                batch_items=batch,
                dry_run=state.request.dry_run,
                confirmed=state.request.confirmed,
            )
            report.add(batch, earlier.corrected(batch, results) if earlier else results)
            state.offset += len(line)
            job_progress(lease, done=len(batch), waiting=report.items - report.done)
            operation_progress(operation_id=operation.id, stage=_stage(report), progress=_percent(report))
            operation_write(operation_id=operation.id, state=state.to_json())
        fault_point("file_import.after_commit")
        if time_slice.is_over():
            raise RescheduleJob(0)


def _lines(operation_id: UUID, offset: int) -> Iterator[bytes]:
    with items_file(operation_id).open("rb") as items:
        items.seek(offset)
        yield from items


def _stage(report: FileReport) -> str:
    return f"{report.done} of {report.items} items"


def _percent(report: FileReport) -> int:
    return 99 * report.done // max(report.items, 1)


def _fail(lease: Lease, operation: Operation, error: Exception) -> None:
    with workspace(lease.workspace_id):
        operation_fail(operation_id=operation.id, error=operation_error(error, what=_WHAT))
    files_remove(operation.id)
