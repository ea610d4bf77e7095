"""Durable jobs: enqueue, claim, run under a lease, schedule, and report operations."""

from apps.jobs.models import Priority
from apps.jobs.services.canary import canary_record_return, canary_request, dispatcher_record_heartbeat
from apps.jobs.services.claims import Claim, claim_due, claim_named, claim_release
from apps.jobs.services.enqueue import INSTALLATION, job_request, job_request_within, jobs_cancel
from apps.jobs.services.final_failure import final_failure, operation_given_up
from apps.jobs.services.leases import (
    Lease,
    LeaseLost,
    job_complete,
    job_fail,
    job_postpone,
    lease_fence,
    lease_renew,
    lease_take,
)
from apps.jobs.services.operations import (
    operation_error,
    operation_fail,
    operation_progress,
    operation_start,
    operation_succeed,
    operation_write,
    operations_delete,
    operations_fail,
)
from apps.jobs.services.progress import job_progress, run_counts_prune
from apps.jobs.services.requeue import jobs_requeue, jobs_run_now
from apps.jobs.services.run_errors import retry_after_s
from apps.jobs.services.runner import RescheduleJob, run_job, run_lost, run_overran
from apps.jobs.services.schedules import schedule_prune, schedule_tick
from apps.jobs.services.time_slice import TimeSlice

__all__ = [
    "INSTALLATION",
    "Claim",
    "Lease",
    "LeaseLost",
    "Priority",
    "RescheduleJob",
    "TimeSlice",
    "canary_record_return",
    "canary_request",
    "claim_due",
    "claim_named",
    "claim_release",
    "dispatcher_record_heartbeat",
    "final_failure",
    "job_complete",
    "job_fail",
    "job_postpone",
    "job_progress",
    "job_request",
    "job_request_within",
    "jobs_cancel",
    "jobs_requeue",
    "jobs_run_now",
    "lease_fence",
    "lease_renew",
    "lease_take",
    "operation_error",
    "operation_fail",
    "operation_given_up",
    "operation_progress",
    "operation_start",
    "operation_succeed",
    "operation_write",
    "operations_delete",
    "operations_fail",
    "retry_after_s",
    "run_counts_prune",
    "run_job",
    "run_lost",
    "run_overran",
    "schedule_prune",
    "schedule_tick",
]
