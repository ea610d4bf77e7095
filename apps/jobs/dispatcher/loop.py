"""The dispatcher's loop: request scheduled jobs, claim due ones for free workers, submit them, wait."""

from __future__ import annotations

import time

import structlog
from django.conf import settings
from django.db import Error

from apps.jobs.dispatcher.executors import CeleryExecutor, LocalExecutor
from apps.jobs.dispatcher.listener import Listener
from apps.jobs.selectors import next_due_in
from apps.jobs.services import (
    Claim,
    canary_request,
    claim_due,
    claim_release,
    dispatcher_record_heartbeat,
    jobs_requeue,
    run_counts_prune,
    schedule_tick,
)

POLL_S = 1.0
# While all workers are busy, without notifications.
BUSY_POLL_S = 0.25
TICK_S = 30.0
HEARTBEAT_S = 5.0
CANARY_S = 15.0
SHORTEST_WAIT_S = 0.01
LAST_WORK_S = 0.5

_log = structlog.get_logger("continuity.dispatcher")


class Dispatcher:
    def __init__(self, celery: CeleryExecutor, listener: Listener) -> None:
        self._celery = celery
        self._listener = listener
        self._local = LocalExecutor(when_free=listener.wake)
        self._stopping = False
        self._next_tick = self._next_heartbeat = self._next_canary = 0.0
        self._database_up = True

    def stop(self, *_: object) -> None:
        """Stop after the current iteration; usable as a signal handler."""
        self._stopping = True
        self._listener.wake()

    def run(self) -> None:
        """Run until `stop`. Jobs claimed but not submitted by then are claimed again when their lease expires."""
        _log.info("dispatcher.started")
        while not self._stopping:
            try:
                self._round()
                self._database_is(True)
            except Error as error:
                self._database_is(False, type(error).__name__)
                self._listener.pause(POLL_S)
        self._local.wait(LAST_WORK_S)
        _log.info("dispatcher.stopped", left_a_job=not self._local.free)

    def _round(self) -> None:
        self._listener.listen()
        self._report()
        self._tick()
        capacity = self._capacity()
        claims = claim_due(capacity) if capacity else []
        for claim in claims:
            self._submit(claim)
        self._listener.wait(self._until_next())

    def _capacity(self) -> int:
        """Return how many jobs to claim: at most one while the broker is unavailable, so that others stay claimable.

        Jobs in flight count against the slots, so a backlog waits in the database and not in the broker.
        """
        if self._celery.up:
            return int(settings.WORKER_SLOTS)
        return int(self._local.free or self._celery.worth_trying)

    def _submit(self, claim: Claim) -> None:
        if not (self._celery.submit(claim) or self._local.take(claim)):
            claim_release(claim)

    def _until_next(self) -> float:
        """Return the seconds until a job is due; one that is due now waits for a worker, whose end notifies us."""
        due_in = next_due_in()
        if due_in is None:
            return POLL_S
        return min(max(due_in, SHORTEST_WAIT_S), POLL_S) if due_in > 0 else BUSY_POLL_S

    def _report(self) -> None:
        """Record a heartbeat and request a canary at intervals."""
        now = time.monotonic()
        if now >= self._next_heartbeat:
            dispatcher_record_heartbeat()
            self._next_heartbeat = now + HEARTBEAT_S
        if now >= self._next_canary:
            canary_request()
            self._next_canary = now + CANARY_S

    def _tick(self) -> None:
        """Requeue failed jobs, and request scheduled ones; of all dispatchers, one succeeds per period."""
        if time.monotonic() < self._next_tick:
            return
        jobs_requeue()
        run_counts_prune()
        for kind, seconds in settings.SCHEDULES.items():
            schedule_tick(kind=kind, period_seconds=seconds)
        for kind, seconds in settings.WORKSPACE_SCHEDULES.items():
            schedule_tick(kind=kind, period_seconds=seconds, per_workspace=True)
        self._next_tick = time.monotonic() + TICK_S

    def _database_is(self, up: bool, error: str = "") -> None:
        if up != self._database_up:
            _log.warning("database.back" if up else "database.away", error=error)
        self._database_up = up
