"""One attempt: the row after each outcome of a handler, and harmless repetition."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone
from structlog.testing import capture_logs

from apps.accounts.models import Workspace
from apps.jobs.models import DueJob
from apps.jobs.services import claim_due, run_job
from tests.jobs.handlers import runs
from tests.jobs.requests import ask, claim_one, make_due

pytestmark = pytest.mark.django_db


def run_due() -> None:
    claim = claim_one()
    run_job(claim.job_id, claim.token)


def test_a_finished_job_is_deleted(acme: Workspace) -> None:
    ask(acme.id)
    run_due()
    assert runs("k") == 1
    assert not DueJob.objects.exists()


def test_the_same_message_twice_runs_the_job_once(acme: Workspace) -> None:
    ask(acme.id)
    claim = claim_one()
    run_job(claim.job_id, claim.token)
    run_job(claim.job_id, claim.token)
    assert runs("k") == 1


def test_what_is_asked_for_during_the_run_runs_again(acme: Workspace) -> None:
    ask(acme.id, "test_ask_again")
    run_due()
    job = DueJob.objects.get()
    assert timedelta(seconds=3) < job.due_at - timezone.now() <= timedelta(seconds=5)
    make_due()
    run_due()
    assert runs("k") == 2


def test_a_failure_is_recorded_without_its_text(acme: Workspace, logs: list[dict[str, object]]) -> None:
    ask(acme.id, "test_fail")
    run_due()
    job = DueJob.objects.get()
    assert (job.attempts, job.last_error) == (1, "Conflict: on_purpose")
    assert "nobody may find" not in str(logs)
    assert [entry["event"] for entry in logs] == ["job.failed", "job.ran"]


def test_an_unknown_kind_fails_like_any_other_job(acme: Workspace) -> None:
    ask(acme.id, "unheard_of")
    run_due()
    assert DueJob.objects.get().last_error == "KeyError"


def test_a_handler_that_wants_to_run_later_is_not_counted(acme: Workspace) -> None:
    ask(acme.id, "test_later")
    run_due()
    assert DueJob.objects.get().attempts == 0
    assert claim_due(1) == []


def test_a_run_that_lost_the_database_is_no_attempt(acme: Workspace) -> None:
    ask(acme.id, "test_away")
    run_due()
    job = DueJob.objects.get()
    assert (job.attempts, job.losses, job.last_error) == (0, 1, "connection_lost")
    run_due()
    assert runs("k") == 2


def test_a_run_that_reached_its_time_limit_is_an_attempt_unless_it_stored_a_part(acme: Workspace) -> None:
    ask(acme.id, "test_time_out", key="nothing")
    ask(acme.id, "test_time_out_later", key="part")
    for claim in claim_due(9, slots=9):
        run_job(claim.job_id, claim.token)
    rows = {job.key: (job.attempts, job.done, job.waiting) for job in DueJob.objects.all()}
    assert rows == {"nothing": (1, 0, None), "part": (0, 100, 900)}
    run_due()
    assert (runs("part"), runs("nothing")) == (2, 1)


def test_a_worker_that_lost_its_lease_writes_nothing_and_leaves_the_row_alone(
    acme: Workspace, logs: list[dict[str, object]]
) -> None:
    ask(acme.id, "test_lose_lease")
    run_due()
    job = DueJob.objects.get()
    assert (runs("k"), job.lease_token, job.last_error) == (0, job.id, "")
    assert logs[-1]["outcome"] == "lease_lost"


@pytest.fixture
def logs() -> Iterator[list[dict[str, object]]]:
    with capture_logs() as entries:
        yield entries
