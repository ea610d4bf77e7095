"""Reading operations, jobs and the health of the queue."""

from apps.jobs.selectors.jobs import (
    canary_age_seconds,
    dispatcher_age_seconds,
    job_find,
    job_health,
    job_keys,
    job_list_dead,
    next_due_in,
)
from apps.jobs.selectors.operations import operation_find, operation_get, operation_list
from apps.jobs.selectors.queue import KindReport, queue_report

__all__ = [
    "KindReport",
    "canary_age_seconds",
    "dispatcher_age_seconds",
    "job_find",
    "job_health",
    "job_keys",
    "job_list_dead",
    "next_due_in",
    "operation_find",
    "operation_get",
    "operation_list",
    "queue_report",
]
