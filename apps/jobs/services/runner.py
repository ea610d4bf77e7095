"""Execution of one attempt at a job, in a Celery worker or in the dispatcher."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from uuid import UUID

import structlog
from billiard.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.utils.module_loading import import_string

from apps.common.error_frames import frames_of
from apps.common.errors import ContinuityError
from apps.jobs.models import DueJob, JobState
from apps.jobs.records import FailureReason, JobFailure
from apps.jobs.services.claims import Claim, claim_release
from apps.jobs.services.heartbeat import heartbeat
from apps.jobs.services.leases import (
    Lease,
    LeaseLost,
    job_complete,
    job_fail,
    job_postpone,
    lease_of_run,
    lease_take,
)
from apps.jobs.services.lost_runs import lost_run_count, token_of_run
from apps.jobs.services.progress import run_has_progressed
from apps.jobs.services.run_errors import connection_drop, is_infrastructure, is_interrupted

Handler = Callable[[Lease], None]

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


def run_lost(job_id: UUID, sent_token: UUID) -> None:
    """Record that the process of the run that a claim's token started has died; release the claim if it never began."""
    if lost_run_count(job_id=job_id, token=token_of_run(sent_token)):
        _log.warning("job.lost", job_id=str(job_id))
    else:
        claim_release(Claim(job_id, sent_token))


def run_overran(job_id: UUID, sent_token: UUID) -> None:
    """Record that the pool killed the run that a claim's token started at the hard time limit.

    It is a failed attempt, unless the run had stored a part of its work. After the last one the next worker to take
    the job marks it as failed, and notifies its owner.
    """
    lease = lease_of_run(job_id=job_id, sent_token=sent_token)
    if lease is None:
        return
    if run_has_progressed(lease):
        job_postpone(lease, seconds=0)
    else:
        job_fail(lease, error=FailureReason.TIME_LIMIT, may_end=False)


def _notify_given_up(job_id: UUID) -> None:
    """Notify the owner of a job whose attempts are used up, if they are."""
    job = DueJob.objects.filter(pk=job_id, state=JobState.DEAD).first()
    callback = settings.JOB_GIVEN_UP.get(job.kind) if job else None
    if job and job.workspace_id and callback:
        reason = FailureReason.of(job.last_error)
        import_string(callback)(JobFailure(job.workspace_id, job.key, reason, job.rests, job.due_at))


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
    except SoftTimeLimitExceeded as error:
        return _timed_out(lease, error)
    except Exception as error:
        return _failed(lease, error)
    return "done"


def _handler(kind: str) -> Handler:
    handler: Handler = import_string(settings.JOB_HANDLERS[kind])
    return handler


def _timed_out(lease: Lease, error: SoftTimeLimitExceeded) -> str:
    """Go on at once with what is left if the run stored a part of its work."""
    if not is_interrupted(lease, error):
        return _failed(lease, error)
    job_postpone(lease, seconds=0)
    return "interrupted"


def _failed(lease: Lease, error: Exception) -> str:
    connection_drop()
    is_lost = is_infrastructure(error)
    _log.error("job.failed", kind=lease.kind, key=lease.key, error=_name(error), lost=is_lost, at=frames_of(error))
    if is_lost:
        lost_run_count(job_id=lease.job_id, token=lease.token, error=FailureReason.CONNECTION_LOST)
        return "lost"
    job_fail(lease, error=_recorded(error))
    _notify_given_up(lease.job_id)
    return "failed"


def _ran_out_of_memory(lease: Lease, error: MemoryError) -> None:
    """Give the job up: it would fill the memory again. The frames of the run, which hold it, are cleared first."""
    frames = frames_of(error)
    traceback.clear_frames(error.__traceback__)
    connection_drop()
    _log.error("job.out_of_memory", kind=lease.kind, key=lease.key, at=frames)
    job_fail(lease, error=FailureReason.OUT_OF_MEMORY, retry=False)
    _notify_given_up(lease.job_id)


def _recorded(error: Exception) -> str:
    return FailureReason.TIME_LIMIT if isinstance(error, SoftTimeLimitExceeded) else _name(error)


def _name(error: Exception) -> str:
    """Return an error's class and code, for logs and rows; its text might contain user content."""
    name = type(error).__name__
    return f"{name}: {error.code}" if isinstance(error, ContinuityError) else name
