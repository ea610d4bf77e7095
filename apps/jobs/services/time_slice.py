"""The time that one run of a long background job may take before it makes room for others."""

from __future__ import annotations

import time

from django.db import connection

from apps.jobs.models import Priority
from apps.jobs.services.leases import Lease

_LOOK_EVERY_S = 0.5
_PERSON_WAITS = f"""
SELECT EXISTS (
    SELECT FROM jobs_duejob
    WHERE state = 'due' AND priority = {Priority.PERSON.value} AND due_at <= statement_timestamp()
        AND (lease_until IS NULL OR lease_until < statement_timestamp())
)
"""  # noqa: S608  # the inserted text is a constant


class TimeSlice:
    """Ends after `seconds`, or earlier when a job that a person asked for finds no free worker."""

    def __init__(self, lease: Lease, seconds: float) -> None:
        self._priority = lease.priority
        self._ends_at = time.monotonic() + seconds
        self._looks_at = time.monotonic() + _LOOK_EVERY_S

    def is_over(self) -> bool:
        """Ask between two steps, outside a transaction."""
        now = time.monotonic()
        if now > self._ends_at:
            return True
        if self._priority == Priority.PERSON or now < self._looks_at:
            return False
        self._looks_at = now + _LOOK_EVERY_S
        return _person_waits()


def _person_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_PERSON_WAITS)
        (waits,) = cursor.fetchone()
    return bool(waits)
