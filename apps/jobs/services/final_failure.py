"""Failures that end a job: those that no further attempt can mend, and that of the last attempt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from apps.common.errors import ContinuityError
from apps.jobs.services.leases import Lease, LeaseLost
from apps.jobs.services.run_errors import retry_after_s
from apps.jobs.services.runner import RescheduleJob

_LASTING = (ContinuityError, FileNotFoundError)
"""Refused input, and a file that is gone."""


@contextmanager
def final_failure(lease: Lease, fail: Callable[[Exception], None]) -> Iterator[None]:
    """Call `fail` with an error that ends the job.

    Errors that an attempt can mend are raised, that of the last attempt too.
    """
    try:
        yield
    except (RescheduleJob, LeaseLost):
        raise
    except _LASTING as error:
        fail(error)
    except Exception as error:
        if retry_after_s(lease, error) is None:
            fail(error)
        raise
