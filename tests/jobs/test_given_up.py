"""Jobs whose attempts are used up: whoever waits for them is notified, whatever the reason."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.conf import settings
from django.utils import timezone
from django.utils.module_loading import import_string
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.models import Workspace
from apps.jobs.models import DueJob, JobState
from apps.jobs.records import FailureReason, JobFailure
from apps.jobs.services import run_job
from apps.jobs.timeouts import JobTimes
from tests.conversations.long_conversations import conversation
from tests.jobs import handlers
from tests.jobs.requests import ask, claim_one, make_due

pytestmark = pytest.mark.django_db
CALLBACKS: dict[str, str] = settings.JOB_GIVEN_UP
KINDS = ("test_away", "test_fail", "test_time_out")


@pytest.fixture(autouse=True)
def callbacks(settings: Settings) -> None:
    settings.JOB_GIVEN_UP = dict.fromkeys(KINDS, "tests.jobs.handlers.given_up")


def run_until_given_up(workspace_id: UUID, kind: str, runs: int) -> None:
    ask(workspace_id, kind)
    for _ in range(runs):
        assert not handlers.failures()
        make_due()
        claim = claim_one()
        run_job(claim.job_id, claim.token)
    assert DueJob.objects.get().state == JobState.DEAD


def test_a_job_that_keeps_losing_the_database_says_so(acme: Workspace) -> None:
    run_until_given_up(acme.id, "test_away", JobTimes().max_lost_runs + 1)
    assert handlers.failures() == ["k failed 1 times: connection_lost"]


@pytest.mark.parametrize(("kind", "reason"), [("test_fail", "internal_error"), ("test_time_out", "time_limit")])
def test_a_job_that_keeps_failing_says_so(kind: str, reason: str, acme: Workspace) -> None:
    run_until_given_up(acme.id, kind, JobTimes().max_attempts)
    assert handlers.failures() == [f"k failed 1 times: {reason}"]


@pytest.mark.parametrize("reason", FailureReason)
@pytest.mark.parametrize("kind", sorted(CALLBACKS))
def test_every_reason_can_be_told_of_every_kind(kind: str, reason: FailureReason, alice: Actor) -> None:
    failure = JobFailure(alice.workspace_id, str(conversation(alice)), reason, 1, timezone.now())
    import_string(CALLBACKS[kind])(failure)
