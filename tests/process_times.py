"""Times of jobs in processes that tests start: short leases, because tests that kill a worker wait for the end of one.

In the tests' own process leases last long: nothing is killed there, and the transaction around a test keeps their
renewal, which has a connection of its own, from seeing the job.
"""

from dataclasses import replace

from apps.jobs.timeouts import JOB_TIMES as _TIMES

JOB_TIMES = replace(_TIMES, lease_s=5, heartbeat_s=1, queue_lease_s=5)
