"""Leases: one worker at a time may write, even if a stalled one returns."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from billiard.exceptions import TimeLimitExceeded
from celery.signals import task_failure
from django.db import transaction
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.models import Workspace
from apps.jobs.models import DueJob, JobState
from apps.jobs.selectors import job_health, job_list_dead
from apps.jobs.services import (
    LeaseLost,
    job_complete,
    job_fail,
    job_postpone,
    job_progress,
    jobs_requeue,
    lease_fence,
    lease_renew,
    lease_take,
    run_lost,
    run_overran,
)
from apps.jobs.services.heartbeat import heartbeat
from apps.jobs.tasks import run_job_task
from apps.jobs.timeouts import JobTimes
from tests.jobs.requests import ask, claim_one, expire_leases, make_due, take, take_claimed
from tests.processes import eventually

pytestmark = pytest.mark.django_db


def test_a_message_that_comes_twice_opens_the_job_once(acme: Workspace) -> None:
    ask(acme.id)
    claim = claim_one()
    assert lease_take(job_id=claim.job_id, sent_token=claim.token)
    assert lease_take(job_id=claim.job_id, sent_token=claim.token) is None


def test_a_token_that_was_not_sent_opens_nothing(acme: Workspace) -> None:
    ask(acme.id)
    assert lease_take(job_id=claim_one().job_id, sent_token=uuid4()) is None


def test_a_zombie_may_neither_write_nor_renew_nor_complete(acme: Workspace) -> None:
    zombie = take(acme.id)
    expire_leases()
    claim = claim_one()
    heir = lease_take(job_id=claim.job_id, sent_token=claim.token)
    assert heir is not None and (heir.attempts, heir.lost_runs) == (1, 1)
    with pytest.raises(LeaseLost), transaction.atomic():
        lease_fence(zombie)
    assert not lease_renew(zombie)
    assert not job_complete(zombie)
    job_fail(zombie, error="Too late")
    lease_fence(heir)
    assert job_complete(heir)
    assert not DueJob.objects.exists()


def test_a_renewed_lease_is_not_taken_over(acme: Workspace) -> None:
    lease = take(acme.id)
    expire_leases()
    assert lease_renew(lease)
    make_due()
    lease_fence(lease)
    assert DueJob.objects.get().lease_until > timezone.now()


def test_completing_twice_is_completing_once(acme: Workspace) -> None:
    lease = take(acme.id)
    assert job_complete(lease)
    ask(acme.id)
    assert not job_complete(lease)
    assert DueJob.objects.count() == 1


def test_a_result_that_is_rolled_back_leaves_the_job_in_hand(acme: Workspace) -> None:
    lease = take(acme.id)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        job_complete(lease)
        raise ZeroDivisionError
    lease_fence(lease)


def test_each_failure_waits_longer_and_the_fifth_gives_up_visibly(acme: Workspace) -> None:
    delays: list[int] = []
    for _ in range(5):
        make_due() if delays else ask(acme.id)
        claim = claim_one()
        lease = lease_take(job_id=claim.job_id, sent_token=claim.token)
        assert lease is not None
        job_fail(lease, error="Broken")
        delays.append(round((DueJob.objects.get().due_at - timezone.now()).total_seconds()))
    assert delays == [5, 15, 45, 135, 3_600]
    (dead,) = job_list_dead(workspace_id=acme.id)
    assert (dead.state, dead.attempts, dead.last_error) == (JobState.DEAD, 5, "Broken")
    assert job_health().dead == 1


def test_a_lost_worker_is_no_attempt_and_each_loss_without_progress_waits_longer(acme: Workspace) -> None:
    ask(acme.id)
    delays: list[int] = []
    for _ in range(JobTimes().max_lost_runs):
        make_due()
        assert (lease := take_claimed()) and lease.attempts == 1
        expire_leases()
        claim = claim_one()
        again = lease_take(job_id=claim.job_id, sent_token=claim.token)
        job = DueJob.objects.get()
        delays.append(round((job.due_at - timezone.now()).total_seconds()) if again is None else 0)
        DueJob.objects.filter(state="due").update(started_at=None, lease_token=None, lease_until=None, attempts=0)
    assert delays == [*JobTimes().lost_run_delays_s, 3_600]
    assert (job.state, job.last_error, job.attempts) == (JobState.DEAD, "worker_lost", 0)


def test_a_job_that_stores_a_part_before_its_worker_is_lost_goes_on_at_once(acme: Workspace) -> None:
    ask(acme.id)
    for _ in range(JobTimes().max_lost_runs + 3):
        lease = take_claimed()
        assert lease is not None and lease.attempts == 1
        job_progress(lease, done=10, waiting=90)
        expire_leases()
    assert DueJob.objects.values_list("losses", "done", "waiting").get() == (0, 120, 90)


def test_failures_between_stored_parts_do_not_wear_out_a_long_job(acme: Workspace) -> None:
    ask(acme.id)
    DueJob.objects.update(rests=2, last_error="An old failure")
    for _ in range(JobTimes().max_attempts + 3):
        make_due()
        lease = take_claimed()
        assert lease is not None
        job_progress(lease, done=1_000)
        assert DueJob.objects.values_list("rests", "last_error").get() == (0, "")
        job_fail(lease, error="A passing failure")
        job = DueJob.objects.get()
        assert (job.state, job.attempts) == (JobState.DUE, 1)
        assert timedelta(seconds=4) < job.due_at - timezone.now() < timedelta(seconds=6)


def test_a_run_that_stored_a_part_leaves_no_failure_to_the_next(acme: Workspace) -> None:
    job_fail(take(acme.id), error="A passing failure")
    make_due()
    lease = take_claimed()
    assert lease is not None and lease.attempts == 2
    job_progress(lease)
    job_postpone(lease, seconds=0)
    lease = take_claimed()
    assert lease is not None and lease.attempts == 1


def test_a_failed_job_is_requeued_after_a_longer_delay_each_time(acme: Workspace) -> None:
    delays: list[int] = []
    for _ in range(4):
        job_fail(take(acme.id), error="Broken", retry=False)
        job = DueJob.objects.get()
        delays.append(round((job.due_at - timezone.now()).total_seconds() / 3_600))
        assert (job.state, jobs_requeue()) == (JobState.DEAD, 0)
        make_due()
        assert jobs_requeue() == 1
        assert DueJob.objects.values_list("state", "attempts").get() == (JobState.DUE, 0)
    assert delays == [1, 6, 24, 24]
    assert job_complete(take(acme.id))


def test_a_job_that_kills_its_workers_runs_once_each_time_it_is_requeued(acme: Workspace) -> None:
    ask(acme.id)
    DueJob.objects.update(losses=JobTimes().max_lost_runs - 1)
    for times in (1, 2):
        assert take_claimed()
        expire_leases()
        assert take_claimed() is None
        assert DueJob.objects.values_list("state", "rests").get() == (JobState.DEAD, times)
        make_due()
        jobs_requeue()


def test_a_process_that_died_is_known_from_its_claim_at_once(acme: Workspace) -> None:
    ask(acme.id)
    claim = claim_one()
    assert lease_take(job_id=claim.job_id, sent_token=claim.token)
    run_lost(claim.job_id, claim.token)
    assert DueJob.objects.values_list("losses", "attempts", "lease_token").get() == (1, 0, None)
    untaken = claim_one()
    run_lost(untaken.job_id, untaken.token)
    assert claim_one()
    assert DueJob.objects.get().losses == 1


def test_a_run_that_the_pool_killed_at_the_time_limit_is_an_attempt_unless_it_stored_a_part(acme: Workspace) -> None:
    ask(acme.id)
    for attempts in (1, 2, 3, 4, 5):
        make_due()
        claim = claim_one()
        assert lease_take(job_id=claim.job_id, sent_token=claim.token)
        said = {"exception": TimeLimitExceeded(45), "args": [str(claim.job_id), str(claim.token)]}
        task_failure.send(sender=run_job_task, **said)
        assert DueJob.objects.values_list("attempts", "losses", "state").get() == (attempts, 0, JobState.DUE)
    assert take_claimed() is None
    assert DueJob.objects.values_list("state", "last_error").get() == (JobState.DEAD, "time_limit")
    ask(acme.id)
    claim = claim_one()
    lease = lease_take(job_id=claim.job_id, sent_token=claim.token)
    assert lease
    job_progress(lease)
    run_overran(claim.job_id, claim.token)
    assert DueJob.objects.get().attempts == 0
    assert take_claimed()


def test_the_health_reports_the_delay_of_the_oldest_due_job(acme: Workspace) -> None:
    assert job_health().oldest_due_s == 0
    ask(acme.id, in_s=-90)
    assert 90 <= job_health().oldest_due_s < 95


@pytest.mark.django_db(transaction=True)
def test_the_heartbeat_renews_on_a_connection_of_its_own(acme: Workspace, settings: Settings) -> None:
    settings.JOB_TIMES = JobTimes(heartbeat_s=0)
    lease = take(acme.id)
    expire_leases()
    with heartbeat(lease), transaction.atomic():
        assert eventually(lambda: DueJob.objects.get().lease_until > timezone.now() + timedelta(seconds=10), 5)


@pytest.mark.django_db(transaction=True)
def test_the_heartbeat_stops_where_a_run_would_be_killed(acme: Workspace, settings: Settings) -> None:
    settings.JOB_TIMES = JobTimes(heartbeat_s=0, hard_limit_s=0)
    lease = take(acme.id)
    expire_leases()
    with heartbeat(lease):
        assert not eventually(lambda: DueJob.objects.get().lease_until > timezone.now(), 0.2)
