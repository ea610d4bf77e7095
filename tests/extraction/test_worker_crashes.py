"""A killed worker loses nothing and stores nothing twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.policy import Policy
from apps.extraction.services.request import extraction_request
from apps.jobs.models import DueJob, Operation
from tests.conversations.long_conversations import conversation, say
from tests.extraction.runs import candidates_of, last_result, texts_of
from tests.processes import eventually, start_dispatcher, start_worker
from tests.stack import TestServers

pytestmark = pytest.mark.django_db(transaction=True)

# More than one batch.
FACTS = [f"I have {number} cousins in Porto." for number in range(2, 62)]


@pytest.fixture
def fault(settings: Settings, stack: TestServers, request: pytest.FixtureRequest) -> Path:
    """Kill the worker once at the named point."""
    home = settings.CONTINUITY_HOME = stack.home
    fault = home / "faults" / f"extraction.{request.param}"
    fault.parent.mkdir(exist_ok=True)
    fault.touch()
    return fault


@pytest.mark.slow("it compares many memories")
@pytest.mark.parametrize(
    ("fault", "is_requested"),
    [
        ("before_write", True),
        ("before_commit", False),
        pytest.param("before_write", False, marks=pytest.mark.long),
        pytest.param("before_commit", True, marks=pytest.mark.long),
    ],
    indirect=["fault"],
)
def test_a_killed_worker_is_followed_by_one_that_goes_on(alice: Actor, fault: Path, is_requested: bool) -> None:
    talk = conversation(alice)
    say(alice, talk, *FACTS, role="user")
    if is_requested:
        with workspace(alice.workspace_id):
            extraction_request(alice, conversation_id=talk, policy=Policy())
    DueJob.objects.filter(kind="extraction").update(due_at=timezone.now())
    worker, dispatcher = start_worker(), start_dispatcher()
    try:
        assert eventually(lambda: not DueJob.objects.filter(kind="extraction").exists(), 600), worker.log()[-3000:]
    finally:
        dispatcher.stop()
        worker.stop()
    assert not fault.exists()
    assert sorted(texts_of(alice)) == sorted(FACTS)
    assert len(candidates_of(alice, talk)) == len(FACTS)
    assert last_result(alice, talk)["messages"] == last_result(alice, talk)["created"] == len(FACTS)
    with workspace(alice.workspace_id):
        assert [one.state for one in Operation.objects.all()] == ["succeeded"] * is_requested
