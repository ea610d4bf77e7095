"""Timeouts and intervals of background jobs, in seconds. Their order prevents two concurrent runs of a job."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class JobTimes:
    """A run gives up at `run_s`, is asked to stop at `soft_limit_s` and killed at `hard_limit_s`; the broker hands a
    message out again after `visibility_s`; a worker's lease lasts `lease_s` and is renewed every `heartbeat_s`; a
    dispatcher's covers the wait in the queue, which holds no more than the workers' slots. Upkeep that waited for
    `upkeep_waits_s` has the priority of other background work. By default a job waits `debounce_s` after its last
    request, but at most `max_wait_s` after the first."""

    run_s: int = 30
    soft_limit_s: int = 35
    hard_limit_s: int = 45
    visibility_s: int = 120
    lease_s: int = 15
    heartbeat_s: int = 5
    queue_lease_s: int = 10
    upkeep_waits_s: int = 600
    retry_first_s: int = 5
    retry_factor: int = 3
    max_attempts: int = 5
    debounce_s: int = 5
    max_wait_s: int = 30

    def retry_delay_s(self, attempts: int) -> int | None:
        """Return the back-off in seconds after the `attempts`-th failure; None when the job is given up.

        >>> [JobTimes().retry_delay_s(attempts) for attempts in range(1, 6)]
        [5, 15, 45, 135, None]
        """
        return None if attempts >= self.max_attempts else self.retry_first_s * self.retry_factor ** (attempts - 1)


JOB_TIMES = JobTimes()
