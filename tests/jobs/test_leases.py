"""Leases: one worker at a time may write, even if a stalled one returns."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.models import Workspace
from apps.jobs.models import DueJob, JobState
from apps.jobs.selectors import job_find, job_health, job_list_dead
from apps.jobs.services import LeaseLost, job_complete, job_fail, lease_fence, lease_renew, lease_take
from apps.jobs.services.heartbeat import heartbeat
from apps.jobs.timeouts import JobTimes
from tests.jobs.requests import ask, claim_one, expire_leases, make_due, take
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
    assert heir is not None and heir.attempts == 2
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
    delays = []
    for _ in range(5):
        make_due() if delays else ask(acme.id)
        claim = claim_one()
        lease = lease_take(job_id=claim.job_id, sent_token=claim.token)
        assert lease is not None
        job_fail(lease, error="Broken")
        delays.append(round((DueJob.objects.get().due_at - timezone.now()).total_seconds()))
    assert delays == [5, 15, 45, 135, 0]
    (dead,) = job_list_dead(workspace_id=acme.id)
    assert (dead.state, dead.attempts, dead.last_error) == (JobState.DEAD, 5, "Broken")
    assert job_health().dead == 1


def test_a_job_that_kills_every_worker_is_buried(acme: Workspace) -> None:
    ask(acme.id)
    for _ in range(5):
        claim = claim_one()
        assert lease_take(job_id=claim.job_id, sent_token=claim.token)
        expire_leases()
    claim = claim_one()
    assert lease_take(job_id=claim.job_id, sent_token=claim.token) is None
    job = job_find(workspace_id=acme.id, kind="test_note", key="k")
    assert job is not None and (job.state, job.last_error) == (JobState.DEAD, "worker_lost")


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
