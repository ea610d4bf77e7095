"""Lease renewal during a run, from a separate thread and database connection.

The job's own connection may be inside a transaction, and its thread inside a long call.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from django.db import DatabaseError, connection

from apps.jobs.services.leases import Lease, lease_renew
from apps.jobs.services.timing import times

_log = structlog.get_logger("continuity.jobs")


@contextmanager
def heartbeat(lease: Lease) -> Iterator[None]:
    """Renew the lease during the block, but not beyond the hard time limit of a run."""
    stopped = threading.Event()
    thread = threading.Thread(
        target=_renew_until_stopped, args=(lease, stopped), name=f"lease {lease.job_id}", daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()


def _renew_until_stopped(lease: Lease, stopped: threading.Event) -> None:
    last = time.monotonic() + times().hard_limit_s
    try:
        while not stopped.wait(times().heartbeat_s) and time.monotonic() < last:
            if not _renewed(lease):
                _log.warning("lease.lost", kind=lease.kind, key=lease.key)
                return
    finally:
        connection.close()


def _renewed(lease: Lease) -> bool:
    """Return False if the lease is lost; ignore database errors, since a lease outlasts several renewals."""
    try:
        return lease_renew(lease)
    except DatabaseError as error:
        _log.warning("lease.renewal_failed", kind=lease.kind, key=lease.key, error=type(error).__name__)
        connection.close()
        return True
