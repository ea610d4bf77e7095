"""Imports from files that a person uploads: read and stored in the background, in slices of some seconds.

The files are read first, into batches of items on disk, so that the number of items is known. The operation holds the
position, written in the transaction that stores a batch: a worker may be killed at any point, and the next one
continues after the last batch. A dry run does the same and stores nothing.

The operation's subject is the import's id, which the client chooses: with it, an import can be canceled that has not
started yet. The operation that was canceled is the record of it, so the import cannot start later either.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.utils import timezone

from apps.accounts.actors import Actor, require_write
from apps.common.errors import Conflict
from apps.common.ids import uuid7
from apps.common.tenancy import workspace
from apps.jobs.records import OperationView
from apps.jobs.selectors import job_keys
from apps.jobs.selectors.operations import operations_on, unfinished_operations
from apps.jobs.services import Priority, job_request, operation_fail, operation_start, operation_write
from apps.transfer.files.earlier_items import EarlierItems
from apps.transfer.files.preparation import Preparation
from apps.transfer.files.reading import ReadPlace
from apps.transfer.files.report import FileReport
from apps.transfer.files.uploads import SentFile, files_store
from apps.transfer.formats.items import ImportSource

KIND = JOB = "file_import"
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
MOST_AT_ONCE = 3
_UPLOADED, _ITEMS, _EARLIER = "-", "items.jsonl", "earlier-items.jsonl"
# Longer than any upload takes: older folders without a job belong to no import.
_ABANDONED_AFTER_S = 2 * 24 * 3600
_CANCELED = {"code": "canceled", "detail": "You canceled this import. What it imported before stays."}


@dataclass(frozen=True, slots=True)
class FileImportRequest:
    """`source` is None to recognize it from the files; `confirmed`: a person says that what they hold is their own."""

    source: ImportSource | None
    import_id: UUID
    dry_run: bool
    confirmed: bool = False


@dataclass
class FileImportState:
    """Progress of an import; `report` is None until the files were recognized. `offset` counts the bytes of the items'
    file that were imported."""

    request: FileImportRequest
    report: FileReport | None = None
    preparation: Preparation = field(default_factory=lambda: Preparation(ReadPlace()))
    offset: int = 0

    def to_json(self) -> dict[str, Any]:
        source, report = self.request.source, self.report
        return {
            "source": source.value if source else None,
            "import_id": str(self.request.import_id),
            "dry_run": self.request.dry_run,
            "confirmed": self.request.confirmed,
            "report": report.to_json() if report else None,
            "preparation": asdict(self.preparation),
            "offset": self.offset,
        }

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> FileImportState:
        source = ImportSource(stored["source"]) if stored["source"] else None
        # An import that began before this field existed was not confirmed.
        confirmed = stored.get("confirmed", False)
        request = FileImportRequest(source, UUID(stored["import_id"]), stored["dry_run"], confirmed)
        report = FileReport(**stored["report"]) if stored["report"] else None
        read = stored["preparation"]
        preparation = Preparation(ReadPlace(**read["place"]), read["written"], read["is_complete"])
        return cls(request, report, preparation, stored["offset"])


def file_import_start(actor: Actor, *, request: FileImportRequest, files: Iterable[SentFile]) -> OperationView:
    """Store the files and start their import, or the preview of it; the operation's result is the report.

    The limit is checked once more when the files have arrived, since others may have arrived at the same time. Call it
    outside a unit of work, because files may take long to arrive.
    """
    require_write(actor)
    with workspace(actor.workspace_id):
        _require_startable(actor, request.import_id)
    operation_id = uuid7()
    try:
        files_store(uploaded_folder(operation_id), files)
        with workspace(actor.workspace_id):
            return _started(actor, request, operation_id)
    except BaseException:
        files_remove(operation_id)
        raise


def file_import_cancel(actor: Actor, *, import_id: UUID) -> None:
    """End the actor's import, or keep it from starting when its files have arrived; nothing happens if it has ended.

    The job, which starts at once, removes the files. Runs in the caller's unit.
    """
    require_write(actor)
    _lock(actor)
    subject = str(import_id)
    operations = operations_on(actor, kind=KIND, subject=subject)
    if not operations.exists():
        operation_start(actor, kind=KIND, subject=subject)
    for operation in operations & unfinished_operations():
        operation_fail(operation_id=operation.id, error=_CANCELED)
        _request_job(actor, operation.id)


def uploaded_folder(operation_id: UUID) -> Path:
    """The folder of the uploaded files. Readers name a project after it, so its own name says that there is none."""
    return _folder(operation_id) / _UPLOADED


def items_file(operation_id: UUID) -> Path:
    return _folder(operation_id) / _ITEMS


def earlier_items(operation_id: UUID) -> EarlierItems:
    """What a dry run found so far."""
    return EarlierItems(_folder(operation_id) / _EARLIER)


def files_remove(operation_id: UUID) -> None:
    shutil.rmtree(_folder(operation_id), ignore_errors=True)


def _started(actor: Actor, request: FileImportRequest, operation_id: UUID) -> OperationView:
    _lock(actor)
    _require_startable(actor, request.import_id)
    operation = operation_start(actor, kind=KIND, subject=str(request.import_id), operation_id=operation_id)
    operation_write(operation_id=operation.id, state=FileImportState(request).to_json())
    _request_job(actor, operation.id)
    return operation


def _request_job(actor: Actor, operation_id: UUID) -> None:
    now = timezone.now()
    key = str(operation_id)
    job_request(
        workspace_id=actor.workspace_id, kind=JOB, key=key, due_at=now, deadline_at=now, priority=Priority.REQUESTED
    )


def _lock(actor: Actor) -> None:
    """Let the actor's imports start, and be canceled, one after the other."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [f"file imports {actor.workspace_id} {actor.user_id}"])


def _require_startable(actor: Actor, import_id: UUID) -> None:
    earlier = operations_on(actor, kind=KIND, subject=str(import_id))
    if earlier.filter(error__code=_CANCELED["code"]).exists():
        raise Conflict("This import was canceled. Start another one, with an `import_id` of its own.", code="canceled")
    if unfinished_operations().filter(user_id=actor.user_id, kind=KIND).count() >= MOST_AT_ONCE:
        raise Conflict(f"{MOST_AT_ONCE} of your imports are running. Wait for one of them.", code="imports_running")


def _folder(operation_id: UUID) -> Path:
    return _root() / operation_id.hex


def _root() -> Path:
    root: Path = settings.CONTINUITY_HOME / "file-imports"
    return root


def abandoned_files_remove() -> None:
    """Remove the folders of uploads that never became an import, since the server ended before."""
    root = _root()
    folders = list(root.iterdir()) if root.is_dir() else []
    used = {_folder(UUID(key)) for key in job_keys(JOB)}
    for folder in folders:
        with suppress(FileNotFoundError):
            if folder not in used and folder.stat().st_mtime < time.time() - _ABANDONED_AFTER_S:
                shutil.rmtree(folder, ignore_errors=True)
