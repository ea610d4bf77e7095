"""Schedules: once per period with any number of dispatchers, and the canary job."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import Workspace
from apps.jobs.models import DueJob, Schedule
from apps.jobs.selectors import canary_age_seconds
from apps.jobs.services import canary_request, claim_due, run_job, schedule_prune, schedule_tick

pytestmark = pytest.mark.django_db
DAY = 86_400


def test_the_first_tick_of_a_period_asks_and_the_second_does_not(acme: Workspace) -> None:
    assert schedule_tick(kind="test_note", period_seconds=DAY)
    assert not schedule_tick(kind="test_note", period_seconds=DAY)
    assert list(DueJob.objects.values_list("workspace_id", "generation")) == [(None, 1)]


def test_a_new_period_asks_again(acme: Workspace) -> None:
    schedule_tick(kind="test_note", period_seconds=DAY)
    Schedule.objects.update(period=timezone.now() - timedelta(days=1))
    assert schedule_tick(kind="test_note", period_seconds=DAY)
    assert DueJob.objects.get().generation == 2


def test_a_schedule_may_ask_for_a_job_in_each_workspace(alice: Actor, charlie: Actor) -> None:
    schedule_tick(kind="test_note", period_seconds=DAY, per_workspace=True)
    assert set(DueJob.objects.values_list("workspace_id", flat=True)) == {alice.workspace_id, charlie.workspace_id}


@pytest.mark.django_db(transaction=True)
def test_tickers_at_the_same_moment_ask_once() -> None:
    for round_number in range(20):
        kind = f"round {round_number}"
        assert sorted(tick_at_the_same_time(kind, 3)) == [False, False, True]
        assert DueJob.objects.get(kind=kind).generation == 1


def test_periods_long_past_are_forgotten() -> None:
    for days in (1, 8):
        row = Schedule.objects.create(kind="test_note", period=timezone.now() - timedelta(days=days))
        Schedule.objects.filter(pk=row.pk).update(created_at=row.period)
    schedule_prune()
    assert Schedule.objects.count() == 1


def test_the_canary_has_an_age_once_it_has_come_back() -> None:
    assert canary_age_seconds() is None
    canary_request()
    assert canary_age_seconds() is None
    for _ in range(2):
        canary_request()
        (claim,) = claim_due(5)
        run_job(claim.job_id, claim.token)
    age = canary_age_seconds()
    assert age is not None and 0 <= age < 5
    assert Schedule.objects.filter(kind="canary").count() == 1


def tick_at_the_same_time(kind: str, tickers: int) -> list[bool]:
    start = Barrier(tickers)

    def tick(_: int) -> bool:
        try:
            connection.ensure_connection()
            start.wait()
            return schedule_tick(kind=kind, period_seconds=DAY)
        finally:
            connection.close()

    with ThreadPoolExecutor(tickers) as pool:
        return list(pool.map(tick, range(tickers)))
