"""Timeouts and intervals of background jobs, in seconds. Their order prevents two concurrent runs of a job."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class JobTimes:
    """A run gives up at `run_s`, is asked to stop at `soft_limit_s` and killed at `hard_limit_s`; the broker hands a
    message out again after `visibility_s`; a worker's lease lasts `lease_s` and is renewed every `heartbeat_s`; a
    dispatcher's covers the wait in the queue, which holds no more than the workers' slots. For every `ages_s` that
    background work waited, it has the priority of the next class. By default a job waits `debounce_s` after its last
    request, but at most `max_wait_s` after the first.

    A failure is the job's own: after `max_attempts` the job has failed. A run that was lost with its worker, or its
    connection, is no attempt: it runs again after the delay in `lost_run_delays_s` for the number of runs lost without
    progress, and the job has failed when they are used up. A failed job is requeued after the delay in
    `requeue_delays_s` for the number of times it failed, or the last one.
    """

    run_s: int = 30
    soft_limit_s: int = 35
    hard_limit_s: int = 45
    visibility_s: int = 120
    lease_s: int = 15
    heartbeat_s: int = 5
    queue_lease_s: int = 10
    ages_s: int = 600
    retry_first_s: int = 5
    retry_factor: int = 3
    max_attempts: int = 5
    lost_run_delays_s: tuple[int, ...] = (0, 0, 30, 120, 300, 600, 1_200, 1_800)
    requeue_delays_s: tuple[int, ...] = (3_600, 6 * 3_600, 24 * 3_600)
    debounce_s: int = 5
    max_wait_s: int = 30

    @property
    def max_lost_runs(self) -> int:
        """The number of lost runs without progress after which a job has failed."""
        return len(self.lost_run_delays_s) + 1

    @property
    def retry_delays_s(self) -> tuple[int, ...]:
        """The back-off in seconds after each failure but the last."""
        return tuple(self.retry_first_s * self.retry_factor**number for number in range(self.max_attempts - 1))

    def retry_delay_s(self, attempts: int) -> int | None:
        """Return the back-off in seconds after the `attempts`-th failure; None after the last attempt.

        >>> [JobTimes().retry_delay_s(attempts) for attempts in range(1, 6)]
        [5, 15, 45, 135, None]
        """
        return None if attempts >= self.max_attempts else self.retry_delays_s[attempts - 1]


@dataclass(frozen=True, slots=True)
class RunCountTimes:
    """Rates are those of the last `rate_s`. A kind of job that failed `failing_runs` times and never succeeded in the
    last `retention_s` fails every time. Its failures are the installation's problem if they are in a `failing_share` of
    all workspaces or more."""

    rate_s: int = 300
    retention_s: int = 1_800
    failing_runs: int = 3
    failing_share: float = 0.1


JOB_TIMES = JobTimes()
RUN_COUNT_TIMES = RunCountTimes()
