"""The Celery task that runs a job, given its row id and token."""

from __future__ import annotations

import ctypes
import resource
import signal
import sys
from uuid import UUID

from celery import shared_task
from celery.signals import worker_process_init
from django.conf import settings
from django.db import close_old_connections

from apps.jobs.services import Lease, canary_record_return, run_job, schedule_prune

RUN_JOB = "jobs.run_job"
_PR_SET_PDEATHSIG = 1


@shared_task(name=RUN_JOB)
def run_job_task(job_id: str, token: str) -> None:
    close_old_connections()
    run_job(UUID(job_id), UUID(token))


def canary_job(lease: Lease) -> None:
    canary_record_return()


def schedule_prune_job(lease: Lease) -> None:
    schedule_prune()


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
