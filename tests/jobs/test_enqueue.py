"""Requests: one row for all requests, debounced by each, but never beyond the first one's deadline."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.models import Workspace
from apps.common.ids import uuid7
from apps.jobs.models import DueJob, JobState
from apps.jobs.services import INSTALLATION, job_complete, job_fail, job_postpone, job_request
from tests.jobs.requests import ask, claim_one, expire_leases, take

pytestmark = pytest.mark.django_db

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
DEBOUNCE, BOUND = timedelta(seconds=5), timedelta(seconds=30)


def said_at(workspace: Workspace, moment: datetime, key: str = "k") -> DueJob:
    """Request the job of a message stored at `moment`, and return the row."""
    job_request(
        workspace_id=workspace.id,
        kind="test_note",
        key=key,
        due_at=moment + DEBOUNCE,
        deadline_at=moment + BOUND,
    )
    return DueJob.objects.get(key=key)


def test_the_first_request_makes_a_row_due_after_the_debounce(acme: Workspace) -> None:
    job = said_at(acme, NOON)
    assert (job.due_at, job.deadline_at, job.generation, job.attempts) == (NOON + DEBOUNCE, NOON + BOUND, 1, 0)


def test_a_second_request_pushes_the_same_row_back(acme: Workspace) -> None:
    said_at(acme, NOON)
    job = said_at(acme, NOON + timedelta(seconds=3))
    assert DueJob.objects.count() == 1
    assert (job.due_at, job.generation) == (NOON + timedelta(seconds=8), 2)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(gaps=st.lists(st.floats(min_value=0, max_value=12), max_size=20))
def test_requests_wait_for_quiet_but_never_longer_than_the_bound(acme: Workspace, gaps: list[float]) -> None:
    key, first, moment = str(uuid7()), NOON, NOON
    job = said_at(acme, moment, key)
    for gap in gaps:
        moment += timedelta(seconds=gap)
        if moment > job.due_at:
            DueJob.objects.filter(key=key).delete()
            first = moment
        job = said_at(acme, moment, key)
        assert job.due_at == min(moment + DEBOUNCE, first + BOUND)


def test_what_is_wanted_at_once_is_due_now_and_is_not_pushed_back(acme: Workspace) -> None:
    said_at(acme, NOON)
    job_request(workspace_id=acme.id, kind="test_note", key="k", due_at=NOON, deadline_at=NOON)
    job = said_at(acme, NOON + timedelta(seconds=2))
    assert job.due_at == NOON


def test_a_request_that_is_rolled_back_was_never_made(acme: Workspace) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        ask(acme.id)
        raise ZeroDivisionError
    assert not DueJob.objects.exists()


def test_a_dead_job_starts_afresh(acme: Workspace) -> None:
    said_at(acme, NOON)
    DueJob.objects.update(state=JobState.DEAD, attempts=5)
    job = said_at(acme, NOON + timedelta(hours=1))
    assert (job.state, job.attempts, job.due_at) == (JobState.DUE, 0, NOON + timedelta(hours=1) + DEBOUNCE)
    assert job.deadline_at == NOON + timedelta(hours=1) + BOUND


def test_a_failing_job_keeps_its_distance_when_asked_for_again(acme: Workspace) -> None:
    job_fail(take(acme.id), error="Broken")
    waits_until = DueJob.objects.get().due_at
    ask(acme.id, in_s=1, bound_s=2)
    assert DueJob.objects.get().due_at == waits_until


def test_a_person_who_asks_at_once_need_not_wait_for_the_distance(acme: Workspace) -> None:
    job_fail(take(acme.id), error="Broken")
    ask(acme.id)
    assert claim_one()
    assert DueJob.objects.get().attempts == 0


def test_requests_during_a_run_set_the_time_of_the_next(acme: Workspace) -> None:
    lease = take(acme.id)
    ask(acme.id, in_s=3, bound_s=30)
    asked_for = DueJob.objects.get().due_at
    assert job_complete(lease, debounce_s=5, max_wait_s=30)
    job = DueJob.objects.get()
    assert job.due_at == asked_for
    assert job.lease_token is None
    assert timedelta(seconds=29) < job.deadline_at - datetime.now(UTC) <= timedelta(seconds=30)


def test_requests_never_hold_up_the_job_of_a_worker_that_died(acme: Workspace) -> None:
    take(acme.id)
    expire_leases()
    ask(acme.id, in_s=5, bound_s=30)
    assert claim_one()


def test_a_postponed_job_was_not_attempted(acme: Workspace) -> None:
    job_postpone(take(acme.id), seconds=60)
    job = DueJob.objects.get()
    assert (job.attempts, job.lease_token) == (0, None)
    assert timedelta(seconds=58) < job.due_at - datetime.now(UTC) <= timedelta(seconds=60)


def test_the_installation_has_jobs_of_its_own_also_once_each(acme: Workspace) -> None:
    ask(INSTALLATION)
    ask(INSTALLATION)
    ask(acme.id)
    assert sorted(DueJob.objects.values_list("workspace_id", "generation"), key=str) == sorted(
        [(None, 2), (acme.id, 1)], key=str
    )


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("in_s", "woken"), [(0, True), (30, False)])
def test_the_dispatcher_is_woken_at_the_commit_of_what_is_due_now(acme: Workspace, in_s: float, woken: bool) -> None:
    with connection.cursor() as cursor:
        cursor.execute("LISTEN continuity_jobs")
    with transaction.atomic():
        ask(acme.id, in_s=in_s)
    assert bool(list(connection.connection.notifies(timeout=0.1))) is woken
    connection.close()
