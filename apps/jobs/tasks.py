"""The Celery task that runs a job, given its row id and token."""

from __future__ import annotations

import ctypes
import resource
import signal
import sys
from uuid import UUID

import structlog
from billiard.exceptions import TimeLimitExceeded, WorkerLostError
from celery import shared_task
from celery.signals import task_failure, worker_process_init
from django.conf import settings
from django.db import Error, close_old_connections

from apps.jobs.services import Lease, canary_record_return, run_job, run_lost, run_overran, schedule_prune
from apps.jobs.services.run_errors import connection_drop

RUN_JOB = "jobs.run_job"
_PR_SET_PDEATHSIG = 1
_log = structlog.get_logger("continuity.jobs")


@shared_task(name=RUN_JOB)
def run_job_task(job_id: str, token: str) -> None:
    close_old_connections()
    run_job(UUID(job_id), UUID(token))


def canary_job(lease: Lease) -> None:
    canary_record_return()


def schedule_prune_job(lease: Lease) -> None:
    schedule_prune()


@task_failure.connect(weak=False)
def record_lost_run(exception: BaseException | None = None, args: tuple[str, str] | None = None, **_: object) -> None:
    """In the parent of the pool, make a job due again whose process died or was killed at the hard time limit.

    If the parent dies too, or the database is away, the job is due again when its lease expires.
    """
    if not args or not isinstance(exception, WorkerLostError | TimeLimitExceeded):
        return
    record = run_overran if isinstance(exception, TimeLimitExceeded) else run_lost
    job_id, sent_token = map(UUID, args)
    try:
        record(job_id, sent_token)
    except Error as error:
        _log.warning("job.loss_not_recorded", job_id=str(job_id), error=type(error).__name__)
    finally:
        # The pool forks its next child from this process.
        connection_drop()


# Celery offers no other way into a fresh child of its pool, and nothing else can tie the child to its parent: a worker
# that is killed would leave children behind that hold connections. Inherited connections Celery's own Django support
# has dropped by then, without talking over them.
@worker_process_init.connect(weak=False)
def die_with_parent(**_: object) -> None:
    """Ask Linux to kill this process when its parent exits; do nothing on other systems."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


@worker_process_init.connect(weak=False)
def limit_memory(**_: object) -> None:
    """Let a job that needs too much memory fail with `MemoryError`, before the system ends the whole worker."""
    bytes_ = settings.WORKER_MEMORY_MB * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_DATA, (bytes_, resource.getrlimit(resource.RLIMIT_DATA)[1]))
