"""A worker crashes at each point of a run, and no message is lost or covered twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest
from django.conf import settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.services.request import compaction_request
from apps.engine.policy import Level, Policy
from apps.jobs.models import DueJob
from tests.compaction.runs import check_invariants, runs_of
from tests.conversations.long_conversations import history, long_talk
from tests.processes import Running, eventually, start_dispatcher, start_worker

POINTS = ["before_summary", "after_summary", "before_commit", "after_commit"]


@pytest.fixture
def dispatcher(transactional_db: None) -> Iterator[Running]:
    running = start_dispatcher()
    yield running
    running.stop()


def arm(point: str, target: str) -> Path:
    """Make the next process that reaches the point crash there."""
    folder: Path = settings.CONTINUITY_HOME / "faults"
    folder.mkdir(exist_ok=True)
    armed = folder / f"compaction.{point}"
    armed.write_text(target)
    return armed


def request(actor: Actor, conversation_id: UUID) -> None:
    with workspace(actor.workspace_id):
        compaction_request(actor, conversation_id=conversation_id, level=Level.LIGHT, policy=Policy())


def settled(actor: Actor, conversation_id: UUID) -> bool:
    states = [run.state for run in runs_of(actor, conversation_id)]
    return states == ["succeeded"] and not DueJob.objects.filter(kind="compaction").exists()


def check_compacted_once(actor: Actor, conversation_id: UUID) -> None:
    (run,) = runs_of(actor, conversation_id)
    assert (run.version, run.compacted_count) == (1, 10)
    assert [row.compacted_in for row in history(actor, conversation_id)] == [1] * 10 + [None] * 20
    check_invariants(actor, conversation_id)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("point", POINTS)
def test_a_run_finishes_after_its_worker_is_killed(alice: Actor, dispatcher: Running, point: str) -> None:
    conversation_id = long_talk(alice, messages=30, tokens=50)
    armed = arm(point, "group")
    first = start_worker()
    try:
        request(alice, conversation_id)
        assert eventually(lambda: first.process.poll() is not None), first.log()
    finally:
        first.stop()
    assert not armed.exists()
    second = start_worker()
    try:
        assert eventually(lambda: settled(alice, conversation_id)), second.log()
    finally:
        second.stop()
    check_compacted_once(alice, conversation_id)


@pytest.mark.django_db(transaction=True)
def test_a_run_finishes_after_its_child_process_is_killed(alice: Actor, dispatcher: Running) -> None:
    worker = start_worker()
    try:
        for point in POINTS:
            conversation_id = long_talk(alice, messages=30, tokens=50)
            armed = arm(point, "process")
            request(alice, conversation_id)
            # The job is settled a moment before the last point is reached.
            assert eventually(lambda: settled(alice, conversation_id) and not armed.exists()), worker.log()  # noqa: B023  # evaluated immediately
            check_compacted_once(alice, conversation_id)
    finally:
        worker.stop()
