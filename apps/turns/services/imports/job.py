"""Imports in the background: the file is stored in the data directory, and a job imports it in slices of some seconds.

The operation holds the position, written in the transaction that stores the messages: a worker may be killed at any
point, and the next one continues after the last batch.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import Actor, require_write
from apps.accounts.selectors.users import actor_in
from apps.common.errors import Invalid, TooLarge
from apps.common.fault_injection import fault_point
from apps.common.ids import uuid7
from apps.common.tenancy import workspace
from apps.conversations.field_checks import BadMessage, optional_text
from apps.conversations.imports.formats import Format, Source
from apps.conversations.limits import LONGEST_EXTERNAL_ID, LONGEST_TITLE
from apps.jobs.models import Operation
from apps.jobs.records import FailureReason, JobFailure, OperationView
from apps.jobs.selectors.operations import operation_unfinished
from apps.jobs.services import (
    Lease,
    Priority,
    RescheduleJob,
    TimeSlice,
    final_failure,
    job_complete,
    job_progress,
    job_request,
    lease_fence,
    operation_error,
    operation_fail,
    operation_given_up,
    operation_progress,
    operation_start,
    operation_succeed,
    operation_write,
)
from apps.turns.services.imports.batches import ImportRequest, ImportState, batch_store, import_announce, import_batches

KIND = "import"
JOB = "conversation_import"
LARGEST_FILE = 256 * 1024 * 1024
SLICE_S = 12.0
# Files without an operation, or whose import ended long ago, can be deleted.
_KEEP_S = 30 * 24 * 3600
_GIVEN_UP = {
    FailureReason.WORKER_LOST: "The import stopped its worker several times. Split the file and try again.",
    FailureReason.CONNECTION_LOST: "The import lost its database several times. Try again.",
    FailureReason.OUT_OF_MEMORY: "The file needs more memory than a worker may use. Split it and try again.",
    FailureReason.TIME_LIMIT: "Reading the file took too long several times. Split it and try again.",
    FailureReason.INTERNAL_ERROR: "The import failed several times.",
}


def import_start(actor: Actor, *, request: ImportRequest, chunks: Iterable[bytes]) -> OperationView:
    """Store the file that arrives in `chunks` of any size, and start its import; the operation reports the progress.

    The operation's result is the report. Raises `TooLarge` beyond 256 MB and `Invalid` for an empty file. Call it
    outside a unit of work, because the file may take long to arrive.
    """
    require_write(actor)
    request = request.clean()
    _check(request)
    name = uuid7().hex
    try:
        _keep(_spool(name), chunks)
        with workspace(actor.workspace_id):
            return _started(actor, request, name)
    except BaseException:
        _spool(name).unlink(missing_ok=True)
        raise


def import_files_remove(user_id: UUID) -> None:
    """Remove the files of a person's imports when the transaction commits: the person goes too."""
    names = list(Operation.objects.filter(user_id=user_id, kind=KIND).values_list("subject", flat=True))
    for name in names:
        transaction.on_commit(partial(_spool(name).unlink, missing_ok=True))


def import_slice(lease: Lease) -> None:
    """Import for some seconds; raises `RescheduleJob` while the file is not finished."""
    operation = _open_operation(lease)
    if operation is None:
        return
    with final_failure(partial(_refuse, lease, operation)):
        _import(lease, operation)


def _check(request: ImportRequest) -> None:
    source = request.source
    texts = {"name": source.name, "title": source.title, "external_id": request.external_id}
    limits = {"name": LONGEST_TITLE, "title": LONGEST_TITLE, "external_id": LONGEST_EXTERNAL_ID}
    for field, longest in limits.items():
        try:
            optional_text(texts, field, longest)
        except BadMessage as bad:
            raise Invalid(f"{bad.detail[0].upper()}{bad.detail[1:]}.", code=bad.code) from bad


def _started(actor: Actor, request: ImportRequest, name: str) -> OperationView:
    operation = operation_start(actor, kind=KIND, subject=name)
    _write_state(operation.id, request, ImportState())
    now = timezone.now()
    key = str(operation.id)
    job_request(
        workspace_id=actor.workspace_id, kind=JOB, key=key, due_at=now, deadline_at=now, priority=Priority.REQUESTED
    )
    return operation


def _spool(name: str) -> Path:
    folder: Path = settings.CONTINUITY_HOME / "imports"
    return folder / name


def _keep(spool: Path, chunks: Iterable[bytes]) -> None:
    spool.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _forget_old(spool.parent)
    size = 0
    with spool.open("xb") as file:
        spool.chmod(0o600)
        for chunk in chunks:
            size += len(chunk)
            if size > LARGEST_FILE:
                raise TooLarge(f"A file has at most {LARGEST_FILE} bytes; split it.")
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    if not size:
        raise Invalid("The file is empty.", code="empty_file")


def _forget_old(folder: Path) -> None:
    for file in folder.iterdir():
        with suppress(FileNotFoundError):
            if file.stat().st_mtime < time.time() - _KEEP_S:
                file.unlink()


def _open_operation(lease: Lease) -> Operation | None:
    with workspace(lease.workspace_id):
        return operation_unfinished(UUID(lease.key))


def _import(lease: Lease, operation: Operation) -> None:
    stored: dict[str, Any] = operation.result or {}
    actor = actor_in(operation.user_id or UUID(int=0), lease.workspace_id)
    told = stored["request"]
    source = Source(told["name"], Format(told["format"]), told["title"])
    request = ImportRequest(source, told["external_id"])
    state = ImportState.from_json(stored)
    with _spool(operation.subject).open("rb") as file:
        _slice(lease, actor, file, request, state)
    with workspace(lease.workspace_id):
        import_announce(actor, state=state)
        lease_fence(lease)
        operation_succeed(operation_id=operation.id, result=state.report.to_json())
        job_complete(lease)
    _spool(operation.subject).unlink(missing_ok=True)


def _slice(lease: Lease, actor: Actor, file: BinaryIO, request: ImportRequest, state: ImportState) -> None:
    time_slice = TimeSlice(lease, SLICE_S)
    for batch in import_batches(file, request, state.place):
        before = state.report.read
        with workspace(lease.workspace_id):
            batch_store(actor, batch=batch, request=request, state=state)
            job_progress(lease, done=state.report.read - before)
            _note_progress(UUID(lease.key), file, request, state)
            fault_point("import.before_commit")
        fault_point("import.after_commit")
        if time_slice.is_over():
            with workspace(lease.workspace_id):
                import_announce(actor, state=state)
            raise RescheduleJob(0)


def _note_progress(operation_id: UUID, file: BinaryIO, request: ImportRequest, state: ImportState) -> None:
    percent = 99 * file.tell() // max(os.fstat(file.fileno()).st_size, 1)
    operation_progress(operation_id=operation_id, stage=f"{state.report.read} messages read", progress=percent)
    _write_state(operation_id, request, state)


def _write_state(operation_id: UUID, request: ImportRequest, state: ImportState) -> None:
    source = request.source
    told = {"name": source.name, "format": source.format, "title": source.title, "external_id": request.external_id}
    operation_write(operation_id=operation_id, state={"request": told, **state.to_json()})


def import_given_up(failure: JobFailure) -> None:
    """Show when the import is tried again; after the last attempt, fail it and delete the file.

    Stored messages remain.
    """
    if operation_given_up(failure, detail=_GIVEN_UP[failure.reason]):
        with workspace(failure.workspace_id):
            subjects = list(Operation.objects.filter(pk=UUID(failure.key)).values_list("subject", flat=True))
        for name in subjects:
            _spool(name).unlink(missing_ok=True)


def _refuse(lease: Lease, operation: Operation, error: Exception) -> None:
    """Fail the import; stored messages remain."""
    with workspace(lease.workspace_id):
        operation_fail(operation_id=operation.id, error=operation_error(error, what="import"))
    _spool(operation.subject).unlink(missing_ok=True)
