"""Celery application: transports job ids to workers; schedules and payloads are in PostgreSQL."""

from __future__ import annotations

import os

from celery import Celery
from celery.signals import worker_before_create_process, worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.worker")

from apps.jobs.timeouts import JOB_TIMES  # settings must be named first
from config.env import environment  # settings must be named first
from config.gc_tuning import freeze_loaded_objects  # settings must be named first
from config.native_libraries import reserve_no_packed_weights  # settings must be named first


def _broker_url(redis_url: str) -> str:
    """Translate the scheme of a Redis socket from redis-py's to Celery's."""
    return redis_url.replace("unix://", "redis+socket://", 1)


app = Celery("continuity", broker=_broker_url(environment().redis_url))
app.conf.update(
    accept_content=["json"],
    task_serializer="json",
    task_ignore_result=True,
    task_acks_late=True,
    # A lost run is recorded in its row, which dispatchers send again; a message sent twice would be refused.
    task_reject_on_worker_lost=False,
    # Seconds to wait for the result of a process that died: none is sent.
    worker_lost_wait=0.5,
    task_soft_time_limit=JOB_TIMES.soft_limit_s,
    task_time_limit=JOB_TIMES.hard_limit_s,
    worker_concurrency=environment().continuity_workers,
    worker_prefetch_multiplier=1,
    worker_max_tasks_per_child=200,
    # A child that came near its limit is replaced, for Python seldom gives memory back. In kB.
    worker_max_memory_per_child=environment().continuity_worker_memory_mb * 1024 * 3 // 4,
    # Runs go on without the broker: the lease in their row keeps them from running twice.
    worker_cancel_long_running_tasks_on_connection_loss=False,
    worker_soft_shutdown_timeout=2,
    worker_enable_soft_shutdown_on_idle=False,
    worker_hijack_root_logger=False,
    broker_connection_retry_on_startup=True,
    broker_transport_options={
        "visibility_timeout": JOB_TIMES.visibility_s,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "socket_timeout": None,
    },
    visibility_timeout=JOB_TIMES.visibility_s,
    result_backend_transport_options={"visibility_timeout": JOB_TIMES.visibility_s},
    task_publish_retry_policy={"max_retries": 1, "interval_start": 0, "interval_step": 0.2, "interval_max": 0.2},
)
# Celery would close the connection around each task; `run_job_task` manages it for the life of the child.
app.conf["CELERY_DB_REUSE_MAX"] = app.conf.worker_max_tasks_per_child
app.autodiscover_tasks(["apps.jobs"])


@worker_before_create_process.connect
def _freeze_before_fork(**_: object) -> None:
    """Freeze before forking, so that garbage collection in a child does not unshare memory pages."""
    freeze_loaded_objects()


@worker_process_init.connect
def _reserve_little(**_: object) -> None:
    """A child has a limit of memory, which what is reserved counts against."""
    reserve_no_packed_weights()
