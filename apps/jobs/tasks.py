"""What Celery carries: one task, which names a row and the token that opens it."""

from __future__ import annotations

import ctypes
import signal
import sys
from uuid import UUID

from celery import shared_task
from celery.signals import worker_process_init
from django.db import close_old_connections

from apps.jobs.services import Lease, canary_note, run_job, schedule_prune

RUN_JOB = "jobs.run_job"
_PR_SET_PDEATHSIG = 1


@shared_task(name=RUN_JOB)
def run_job_task(job_id: str, token: str) -> None:
    close_old_connections()
    run_job(UUID(job_id), UUID(token))


def canary_job(lease: Lease) -> None:
    canary_note()


def schedule_prune_job(lease: Lease) -> None:
    schedule_prune()


# Celery offers no other way into a fresh child of its pool, and nothing else can tie the child to its parent: a worker
# that is killed would leave children behind that hold connections. Inherited connections Celery's own Django support
# has dropped by then, without talking over them.
@worker_process_init.connect(weak=False)
def die_with_parent(**_: object) -> None:
    """Ask Linux to kill this process when its parent ends; elsewhere do nothing."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
