"""The table of times in force. A settings module may bring its own: the test suite shortens leases, and only those."""

from __future__ import annotations

from django.conf import settings

from apps.jobs.timeouts import JOB_TIMES, JobTimes


def times() -> JobTimes:
    table: JobTimes = getattr(settings, "JOB_TIMES", JOB_TIMES)
    return table
