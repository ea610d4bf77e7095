"""Handler of the job `extraction`; its key is the conversation's id."""

from __future__ import annotations

from uuid import UUID

from apps.extraction.services.run import extraction_given_up as _given_up
from apps.extraction.services.run import extraction_run
from apps.jobs.services import Lease


def extraction_job(lease: Lease) -> None:
    extraction_run(lease)


def extraction_given_up(workspace_id: UUID, key: str, reason: str) -> None:
    _given_up(workspace_id, key, reason)
