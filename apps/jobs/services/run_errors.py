"""Errors of a run: of the job itself, or of what it runs on."""

from __future__ import annotations

import redis
from billiard.exceptions import SoftTimeLimitExceeded
from django.db import InterfaceError, OperationalError, connection

from apps.jobs.services.leases import Lease
from apps.jobs.services.progress import run_has_progressed
from apps.jobs.services.timing import times

# PostgreSQL's classes of errors: connection, resources and system; and the codes of a server that stops or starts.
_AWAY = ("08", "53", "58", "57P01", "57P02", "57P03")


def is_infrastructure(error: Exception) -> bool:
    """Return whether the database or Redis was unavailable, or closed the connection.

    A statement that was canceled by its timeout, or by a deadlock, is the job's own failure.
    """
    if isinstance(error, redis.ConnectionError | redis.TimeoutError):
        return True
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    state = getattr(error.__cause__, "sqlstate", None)
    return state is None or state.startswith(_AWAY)


def is_interrupted(lease: Lease, error: Exception) -> bool:
    """Return whether the run reached its time limit after it had stored a part of its work."""
    if not isinstance(error, SoftTimeLimitExceeded):
        return False
    connection_drop()
    return run_has_progressed(lease)


def retry_after_s(lease: Lease, error: Exception) -> int | None:
    """Return the seconds after which the job runs again; None after its last attempt."""
    if is_infrastructure(error) or is_interrupted(lease, error):
        return 0
    return times().retry_delay_s(1 if run_has_progressed(lease) else lease.attempts)


def connection_drop() -> None:
    """Close the connection: a run that was canceled during a query leaves it unusable."""
    if not connection.in_atomic_block:
        connection.close()
