"""Work that survives: asking for it, handing it out, running it once at a time, and letting people watch it."""

from apps.jobs.services.canary import canary_note, canary_request, dispatcher_note
from apps.jobs.services.claims import Claim, claim_due, claim_named, claim_release
from apps.jobs.services.enqueue import INSTALLATION, job_request, job_request_within
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
from apps.jobs.services.operations import operation_fail, operation_progress, operation_start, operation_succeed
from apps.jobs.services.runner import RescheduleJob, run_job
from apps.jobs.services.schedules import schedule_prune, schedule_tick

__all__ = [
    "INSTALLATION",
    "Claim",
    "Lease",
    "LeaseLost",
    "RescheduleJob",
    "canary_note",
    "canary_request",
    "claim_due",
    "claim_named",
    "claim_release",
    "dispatcher_note",
    "job_complete",
    "job_fail",
    "job_postpone",
    "job_request",
    "job_request_within",
    "lease_fence",
    "lease_renew",
    "lease_take",
    "operation_fail",
    "operation_progress",
    "operation_start",
    "operation_succeed",
    "run_job",
    "schedule_prune",
    "schedule_tick",
]
