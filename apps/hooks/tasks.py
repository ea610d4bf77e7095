"""Handlers of the jobs `agent_session_end` and `agent_observations` (by conversation id), of imports from files (by
operation id), and of the daily removal of abandoned uploads."""

from __future__ import annotations

from apps.hooks.services.endings import end_infer
from apps.hooks.services.imports import file_job
from apps.hooks.services.imports.files import abandoned_files_remove
from apps.hooks.services.observations_archive import observations_archive_run
from apps.jobs.records import JobFailure
from apps.jobs.services import Lease


def session_end_job(lease: Lease) -> None:
    end_infer(lease)


def observations_job(lease: Lease) -> None:
    observations_archive_run(lease)


def file_import_job(lease: Lease) -> None:
    file_job.file_import_slice(lease)


def file_import_given_up(failure: JobFailure) -> None:
    file_job.file_import_given_up(failure)


def abandoned_files_job(lease: Lease) -> None:
    abandoned_files_remove()
