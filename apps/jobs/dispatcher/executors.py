"""Executors of claimed jobs: Celery, or a local thread while the broker is unavailable."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import structlog
from celery import Celery
from django.db import connection

from apps.jobs.services import Claim, run_job
from apps.jobs.tasks import RUN_JOB

RETRY_S = 2.0

_log = structlog.get_logger("continuity.dispatcher")


class CeleryExecutor:
    """Send claims to Celery and track whether the broker is available."""

    def __init__(self, app: Celery) -> None:
        self._app = app
        self._retry_at = 0.0
        self.up = True

    @property
    def worth_trying(self) -> bool:
        return self.up or time.monotonic() >= self._retry_at

    def submit(self, claim: Claim) -> bool:
        """Send one claim; return False if the broker is, or recently was, unavailable."""
        if not self.worth_trying:
            return False
        try:
            self._app.send_task(RUN_JOB, args=[str(claim.job_id), str(claim.token)])
        except Exception as error:  # treat any error as an unavailable broker
            self._went_away(error)
            return False
        self._came_back()
        return True

    def _went_away(self, error: Exception) -> None:
        self._retry_at = time.monotonic() + RETRY_S
        if self.up:
            _log.warning("broker.away", error=type(error).__name__, mode="running jobs here")
        self.up = False

    def _came_back(self) -> None:
        if not self.up:
            _log.info("broker.back", mode="sending jobs to workers")
        self.up = True


class LocalExecutor:
    """Run one job at a time in a thread of this process, under the same lease as any worker."""

    def __init__(self, when_free: Callable[[], None]) -> None:
        self._when_free = when_free
        self._thread: threading.Thread | None = None

    @property
    def free(self) -> bool:
        return self._thread is None or not self._thread.is_alive()

    def take(self, claim: Claim) -> bool:
        if not self.free:
            return False
        # A daemon thread: if this process exits, the lease expires and another worker takes over.
        self._thread = threading.Thread(target=self._run, args=(claim,), name="local executor", daemon=True)
        self._thread.start()
        return True

    def wait(self, seconds: float) -> None:
        if self._thread is not None:
            self._thread.join(seconds)

    def _run(self, claim: Claim) -> None:
        try:
            run_job(claim.job_id, claim.token)
        except Exception as error:  # the row remains, and its lease expires
            _log.error("job.broke", job_id=str(claim.job_id), error=type(error).__name__)
        finally:
            connection.close()
            self._when_free()
