"""Two ways to bring a claimed job to its run: Celery's queue, or a thread of our own while the broker is away."""

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


class Carrier:
    """Sends claims to Celery, and remembers whether the broker takes them."""

    def __init__(self, app: Celery) -> None:
        self._app = app
        self._retry_at = 0.0
        self.up = True

    @property
    def worth_trying(self) -> bool:
        return self.up or time.monotonic() >= self._retry_at

    def takes(self, claim: Claim) -> bool:
        """Send one claim; False if the broker does not take it, or did not a moment ago."""
        if not self.worth_trying:
            return False
        try:
            self._app.send_task(RUN_JOB, args=[str(claim.job_id), str(claim.token)])
        except Exception as error:  # whatever it is: a broker that refuses is a broker that is away
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


class OwnHands:
    """One job at a time in a thread of this process, with the same lease as any worker."""

    def __init__(self, when_free: Callable[[], None]) -> None:
        self._when_free = when_free
        self._thread: threading.Thread | None = None

    @property
    def free(self) -> bool:
        return self._thread is None or not self._thread.is_alive()

    def take(self, claim: Claim) -> bool:
        if not self.free:
            return False
        # A daemon: when this process is told to end, the job's lease runs out and somebody else takes it up.
        self._thread = threading.Thread(target=self._run, args=(claim,), name="own hands", daemon=True)
        self._thread.start()
        return True

    def wait(self, seconds: float) -> None:
        if self._thread is not None:
            self._thread.join(seconds)

    def _run(self, claim: Claim) -> None:
        try:
            run_job(claim.job_id, claim.token)
        except Exception as error:  # the row stays, and its lease runs out
            _log.error("job.broke", job_id=str(claim.job_id), error=type(error).__name__)
        finally:
            connection.close()
            self._when_free()
