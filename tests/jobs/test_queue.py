"""The queue by kind of job: backlog, rates, ends, and kinds that fail."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import Workspace
from apps.jobs.models import DueJob, RunCount
from apps.jobs.selectors import KindReport, queue_report
from apps.jobs.services import INSTALLATION, job_complete, job_fail, job_progress, run_counts_prune, run_job
from tests.jobs.requests import ask, claim_one, make_due, take, take_claimed

pytestmark = pytest.mark.django_db


def reported(kind: str = "test_note") -> KindReport:
    (report,) = [one for one in queue_report() if one.kind == kind]
    return report


def test_the_report_counts_rows_by_kind_and_tells_rate_and_end(acme: Workspace) -> None:
    for number in range(10):
        job_complete(take(acme.id, key=f"done {number}"))
    for number in range(4):
        ask(acme.id, key=f"due {number}")
    ask(acme.id, key="tomorrow", in_s=86_400)
    ask(acme.id, "test_later")
    report = reported()
    assert (report.waiting, report.later, report.running, report.failed) == (4, 1, 0, 0)
    assert (report.finished_per_minute, report.problem) == (2.0, "")
    assert report.ends_at is not None
    assert timedelta(seconds=110) < report.ends_at - timezone.now() < timedelta(seconds=121)
    assert reported("test_later").ends_at is None


def test_the_end_of_one_long_job_follows_from_its_items(acme: Workspace) -> None:
    lease = take(acme.id)
    for left in (19_500, 19_000):
        job_progress(lease, done=500, waiting=left)
    report = reported()
    assert (report.running, report.items_waiting, report.items_per_minute) == (1, 19_000, 200.0)
    assert report.ends_at is not None
    assert timedelta(minutes=94) < report.ends_at - timezone.now() < timedelta(minutes=96)


def test_a_kind_that_fails_every_time_is_a_problem_until_one_run_succeeds(acme: Workspace) -> None:
    for number in range(3):
        assert reported().problem == "" if number else not queue_report()
        job_fail(take(acme.id, key=f"k {number}"), error="SoftTimeLimitExceeded")
    assert reported().problem == "all of the last 3 runs failed (SoftTimeLimitExceeded)"
    make_due()
    lease = take(acme.id, key="one that stores a part")
    job_progress(lease, done=1)
    assert reported().problem == ""


def test_a_kind_whose_runs_are_lost_every_time_is_a_problem(acme: Workspace) -> None:
    ask(acme.id, "test_away")
    for _ in range(3):
        make_due()
        claim = claim_one()
        run_job(claim.job_id, claim.token)
    assert reported("test_away").problem == "all of the last 3 runs failed (connection_lost)"


def test_a_job_that_failed_for_good_is_a_problem_with_its_next_try(acme: Workspace) -> None:
    job_fail(take(acme.id), error="Broken", retry=False)
    failure = "1 failed after all attempts, next try in 59 minutes (Broken)"
    assert reported().problem == failure
    job_complete(take(acme.id, key="another"))
    assert (reported().problem, reported().failure) == ("", failure)


def test_what_fails_in_one_workspace_of_many_is_not_a_problem_of_the_installation(acme: Workspace) -> None:
    others = [Workspace.objects.create(name=f"Other {number}") for number in range(10)]
    for number in range(3):
        job_fail(take(acme.id, key=f"k {number}"), error="AuthError")
    assert reported().problem == ""
    assert reported().failure == "all of the last 3 runs failed (AuthError)"
    job_fail(take(others[0].id), error="AuthError")
    assert reported().problem == "all of the last 4 runs failed (AuthError)"


def test_what_failed_for_good_in_several_workspaces_is_a_problem_although_it_works_in_others(acme: Workspace) -> None:
    other = Workspace.objects.create(name="Other")
    job_complete(take(acme.id, key="one that works"))
    job_fail(take(acme.id), error="AuthError", retry=False)
    assert reported().problem == ""
    job_fail(take(other.id), error="AuthError", retry=False)
    assert reported().problem == "2 failed after all attempts, next try in 59 minutes (AuthError)"


def test_a_failure_of_the_installations_own_jobs_is_a_problem_of_it(acme: Workspace) -> None:
    for number in range(10):
        Workspace.objects.create(name=f"Other {number}")
    job_fail(take(INSTALLATION), error="Broken", retry=False)
    assert reported().problem == "1 failed after all attempts, next try in 59 minutes (Broken)"


def test_a_job_that_is_retried_is_listed_until_it_stores_a_part(acme: Workspace) -> None:
    job_complete(take(acme.id, key="another"))
    job_fail(take(acme.id), error="RateLimited")
    assert (reported().failure, reported().problem) == ("1 retried after a failure (RateLimited)", "")
    make_due()
    lease = take_claimed()
    assert lease is not None
    job_progress(lease)
    assert reported().failure == ""


def test_counts_that_no_rate_needs_are_deleted(acme: Workspace) -> None:
    job_complete(take(acme.id))
    RunCount.objects.create(kind="test_note", at=timezone.now() - timedelta(hours=1), failed=9)
    run_counts_prune()
    assert list(RunCount.objects.values_list("finished", "failed")) == [(1, 0)]
    assert not DueJob.objects.exists()
