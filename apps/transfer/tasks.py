"""Handlers of the jobs of imports from files (by operation id), and of the daily removal of abandoned uploads."""

from __future__ import annotations

from apps.jobs.records import JobFailure
from apps.jobs.services import Lease
from apps.transfer.services.imports import file_job
from apps.transfer.services.imports.files import abandoned_files_remove


def file_import_job(lease: Lease) -> None:
    file_job.file_import_slice(lease)


def file_import_given_up(failure: JobFailure) -> None:
    file_job.file_import_given_up(failure)


def abandoned_files_job(lease: Lease) -> None:
    abandoned_files_remove()
