"""Handler of the job `extraction`; its key is the conversation's id."""

from __future__ import annotations

from apps.extraction.services import run
from apps.jobs.records import JobFailure
from apps.jobs.services import Lease


def extraction_job(lease: Lease) -> None:
    run.extraction_run(lease)


def extraction_given_up(failure: JobFailure) -> None:
    run.extraction_given_up(failure)
