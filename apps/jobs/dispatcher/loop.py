"""The dispatcher's round: begin what comes round, claim what is due, hand it on, wait for more."""

from __future__ import annotations

import time

import structlog
from django.conf import settings
from django.db import Error

from apps.jobs.dispatcher.executors import Carrier, OwnHands
from apps.jobs.dispatcher.listener import Listener
from apps.jobs.selectors import next_due_in
from apps.jobs.services import Claim, claim_due, claim_release, dispatcher_note, schedule_tick

BATCH = 20
POLL_S = 1.0
TICK_S = 30.0
NOTE_S = 5.0
SHORTEST_WAIT_S = 0.01
LAST_WORK_S = 0.5

_log = structlog.get_logger("continuity.dispatcher")


class Dispatcher:
    def __init__(self, carrier: Carrier, listener: Listener) -> None:
        self._carrier = carrier
        self._listener = listener
        self._hands = OwnHands(when_free=listener.wake)
        self._stopping = False
        self._next_tick = self._next_note = 0.0
        self._database_up = True

    def stop(self, *_: object) -> None:
        """Usable as a signal handler."""
        self._stopping = True
        self._listener.wake()

    def run(self) -> None:
        """Work until told to stop. What is claimed but not yet sent then is claimed again by another."""
        _log.info("dispatcher.started")
        while not self._stopping:
            try:
                self._round()
                self._database_is(True)
            except Error as error:
                self._database_is(False, type(error).__name__)
                self._listener.pause(POLL_S)
        self._hands.wait(LAST_WORK_S)
        _log.info("dispatcher.stopped", left_a_job=not self._hands.free)

    def _round(self) -> None:
        self._listener.listen()
        self._note()
        self._tick()
        room = self._room()
        claims = claim_due(room) if room else []
        for claim in claims:
            self._hand_on(claim)
        if not claims or len(claims) < room:
            self._listener.wait(self._until_next())

    def _room(self) -> int:
        """How many claims there is use for: few while the broker is away, or the others would wait for us in vain."""
        if self._carrier.up:
            return BATCH
        return int(self._hands.free or self._carrier.worth_trying)

    def _hand_on(self, claim: Claim) -> None:
        if not (self._carrier.takes(claim) or self._hands.take(claim)):
            claim_release(claim)

    def _until_next(self) -> float:
        due_in = next_due_in()
        return POLL_S if due_in is None else min(max(due_in, SHORTEST_WAIT_S), POLL_S)

    def _note(self) -> None:
        """Say from time to time that the rounds go on."""
        if time.monotonic() >= self._next_note:
            dispatcher_note()
            self._next_note = time.monotonic() + NOTE_S

    def _tick(self) -> None:
        """Every dispatcher tries; the database lets one of them succeed in each period."""
        if time.monotonic() < self._next_tick:
            return
        for kind, seconds in settings.SCHEDULES.items():
            schedule_tick(kind=kind, period_seconds=seconds)
        for kind, seconds in settings.WORKSPACE_SCHEDULES.items():
            schedule_tick(kind=kind, period_seconds=seconds, each_workspace=True)
        self._next_tick = time.monotonic() + TICK_S

    def _database_is(self, up: bool, error: str = "") -> None:
        if up != self._database_up:
            _log.warning("database.back" if up else "database.away", error=error)
        self._database_up = up
