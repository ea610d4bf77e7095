"""A killed worker loses nothing and stores nothing twice."""

from __future__ import annotations

from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.policy import Policy
from apps.extraction.services.request import extraction_request
from apps.jobs.selectors import operation_get
from tests.conversations.long_conversations import conversation, say
from tests.extraction.runs import texts_of
from tests.processes import eventually, start_dispatcher, start_worker
from tests.stack import TestServers

pytestmark = pytest.mark.django_db(transaction=True)

FACTS = [f"Our rule number {number} is paragraph {number}." for number in range(230)]


def test_a_killed_worker_is_followed_by_one_that_goes_on(alice: Actor, settings: Settings, stack: TestServers) -> None:
    home = settings.CONTINUITY_HOME = stack.home
    fault = home / "faults" / "extraction.before_commit"
    fault.parent.mkdir(exist_ok=True)
    fault.touch()
    talk = conversation(alice)
    say(alice, talk, *FACTS, role="user")
    with workspace(alice.workspace_id):
        operation = extraction_request(alice, conversation_id=talk, policy=Policy())
    worker, dispatcher = start_worker(), start_dispatcher()
    try:
        assert eventually(lambda: _state(alice, operation.id) == "succeeded", 60), worker.log()[-3000:]
    finally:
        dispatcher.stop()
        worker.stop()
    assert not fault.exists()
    assert sorted(texts_of(alice)) == sorted(FACTS)


def _state(actor: Actor, operation_id: UUID) -> str:
    with workspace(actor.workspace_id):
        return operation_get(actor, operation_id).state
