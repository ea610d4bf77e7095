"""Handlers of the jobs of extraction; their keys are conversations' ids."""

from __future__ import annotations

from apps.extraction.services import read_at_once, run
from apps.jobs.records import JobFailure
from apps.jobs.services import Lease


def extraction_job(lease: Lease) -> None:
    run.extraction_run(lease)


def read_at_once_job(lease: Lease) -> None:
    read_at_once.read_at_once(lease)


def extraction_given_up(failure: JobFailure) -> None:
    run.extraction_given_up(failure)
