"""Long upkeep in steps that are stored one by one, for a limited time in each run."""

from __future__ import annotations

from collections.abc import Callable

from apps.common.tenancy import workspace
from apps.jobs.services.leases import Lease, lease_fence
from apps.jobs.services.progress import job_progress
from apps.jobs.services.runner import RescheduleJob
from apps.jobs.services.time_slice import TimeSlice

RUN_S = 10.0


def run_in_slices(lease: Lease, step: Callable[[], object]) -> None:
    """Repeat the step, each time in a unit of work of its own, until it returns nothing; raise `RescheduleJob` when the
    time of this run is over."""
    time_slice = TimeSlice(lease, RUN_S)
    while _stored(lease, step):
        if time_slice.is_over():
            raise RescheduleJob(0)


def _stored(lease: Lease, step: Callable[[], object]) -> bool:
    with workspace(lease.workspace_id):
        lease_fence(lease)
        if stored := bool(step()):
            job_progress(lease)
    return stored
