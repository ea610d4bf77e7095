"""The effective job times. Settings may replace them; the test suite shortens leases."""

from __future__ import annotations

from django.conf import settings

from apps.jobs.timeouts import JOB_TIMES, JobTimes


def times() -> JobTimes:
    table: JobTimes = getattr(settings, "JOB_TIMES", JOB_TIMES)
    return table
