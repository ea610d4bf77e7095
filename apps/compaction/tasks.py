"""Handlers of the jobs `compaction`, `segments` and `session_archive`; their key is the conversation's id."""

from __future__ import annotations

from uuid import UUID

from apps.common.tenancy import workspace
from apps.compaction.services.archive.session_archive import session_archive_run
from apps.compaction.services.pipeline import compaction_run
from apps.compaction.services.run_records import runs_given_up
from apps.compaction.services.segment_job import segments_run
from apps.jobs.records import JobFailure
from apps.jobs.services import Lease


def compaction_given_up(failure: JobFailure) -> None:
    with workspace(failure.workspace_id):
        runs_given_up(conversation_id=UUID(failure.key), reason=failure.reason)


def compaction_job(lease: Lease) -> None:
    compaction_run(lease)


def segments_job(lease: Lease) -> None:
    segments_run(lease)


def session_archive_job(lease: Lease) -> None:
    session_archive_run(lease)
