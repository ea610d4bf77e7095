"""Handlers of imports (by operation id), orphaned replies (by conversation id) and samples (by user id)."""

from __future__ import annotations

from apps.jobs.records import JobFailure
from apps.jobs.services import Lease
from apps.turns.services.demo.sample import sample_run
from apps.turns.services.imports.job import import_given_up, import_slice
from apps.turns.services.orphaned_replies import turn_watch


def conversation_import_job(lease: Lease) -> None:
    import_slice(lease)


def conversation_import_given_up(failure: JobFailure) -> None:
    import_given_up(failure)


def sample_job(lease: Lease) -> None:
    sample_run(lease)


def turn_watch_job(lease: Lease) -> None:
    turn_watch(lease)
