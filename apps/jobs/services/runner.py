"""Execution of one attempt at a job, in a Celery worker or in the dispatcher."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import structlog
from django.conf import settings
from django.db import connection
from django.utils.module_loading import import_string

from apps.common.errors import ContinuityError
from apps.jobs.models import DueJob, JobState
from apps.jobs.services.heartbeat import heartbeat
from apps.jobs.services.leases import (
    OUT_OF_MEMORY,
    WORKER_LOST,
    Lease,
    LeaseLost,
    job_complete,
    job_fail,
    job_postpone,
    lease_take,
)

Handler = Callable[[Lease], None]

_FRAMES = 6
_log = structlog.get_logger("continuity.jobs")


class RescheduleJob(Exception):
    """Raised by a handler to run again after `seconds`, which counts neither as success nor as failure.

    New requests cannot delay it beyond `max_wait_s`, by default that of `JobTimes`.
    """

    def __init__(self, seconds: float, max_wait_s: float | None = None) -> None:
        super().__init__(seconds)
        self.seconds = seconds
        self.max_wait_s = max_wait_s


def run_job(job_id: UUID, token: UUID) -> None:
    """Run one attempt if the token is still valid. Handlers open their own transactions."""
    lease = lease_take(job_id=job_id, sent_token=token)
    if lease is None:
        _log.info("job.refused", job_id=str(job_id))
        _notify_given_up(job_id)
        return
    started = time.monotonic()
    with heartbeat(lease):
        outcome = _attempt(lease)
    seconds = round(time.monotonic() - started, 3)
    _log.info("job.ran", kind=lease.kind, key=lease.key, attempt=lease.attempts, outcome=outcome, seconds=seconds)


def _notify_given_up(job_id: UUID) -> None:
    """Notify the owner of a job that killed its workers, or filled their memory, and will not be retried."""
    job = DueJob.objects.filter(pk=job_id, state=JobState.DEAD, last_error__in=(WORKER_LOST, OUT_OF_MEMORY)).first()
    callback = settings.JOB_GIVEN_UP.get(job.kind) if job else None
    if job and job.workspace_id and callback:
        import_string(callback)(job.workspace_id, job.key, job.last_error)


def _attempt(lease: Lease) -> str:
    try:
        _handler(lease.kind)(lease)
        job_complete(lease)
    except RescheduleJob as later:
        job_postpone(lease, seconds=later.seconds, max_wait_s=later.max_wait_s)
        return "postponed"
    except LeaseLost:
        return "lease_lost"
    except MemoryError as error:
        _ran_out_of_memory(lease, error)
        return "out_of_memory"
    except Exception as error:
        _failed(lease, error)
        return "failed"
    return "done"


def _handler(kind: str) -> Handler:
    handler: Handler = import_string(settings.JOB_HANDLERS[kind])
    return handler


def _failed(lease: Lease, error: Exception) -> None:
    if not connection.in_atomic_block:
        # A run canceled during a query leaves an unusable connection.
        connection.close()
    _log.error("job.failed", kind=lease.kind, key=lease.key, error=_name(error), at=_frames(error))
    job_fail(lease, error=_name(error))


def _ran_out_of_memory(lease: Lease, error: MemoryError) -> None:
    """Give the job up: it would fill the memory again. The frames of the run, which hold it, are cleared first."""
    frames = _frames(error)
    traceback.clear_frames(error.__traceback__)
    if not connection.in_atomic_block:
        connection.close()
    _log.error("job.out_of_memory", kind=lease.kind, key=lease.key, at=frames)
    job_fail(lease, error=OUT_OF_MEMORY, retry=False)
    _notify_given_up(lease.job_id)


def _name(error: Exception) -> str:
    """Return an error's class and code, for logs and rows; its text might contain user content."""
    name = type(error).__name__
    return f"{name}: {error.code}" if isinstance(error, ContinuityError) else name


def _frames(error: Exception) -> list[str]:
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
