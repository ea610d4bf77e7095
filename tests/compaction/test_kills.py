"""A worker dies without warning at every point of a run, and nothing is lost or covered twice."""

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
from tests.compaction.work import check_invariants, runs_of
from tests.conversations.talk import history, long_talk
from tests.processes import Running, eventually, start_dispatcher, start_worker

POINTS = ["before_summary", "after_summary", "before_commit", "after_commit"]


@pytest.fixture
def dispatcher(transactional_db: None) -> Iterator[Running]:
    running = start_dispatcher()
    yield running
    running.stop()


def arm(point: str, who: str) -> Path:
    """The next process that comes to the point dies there."""
    folder: Path = settings.CONTINUITY_HOME / "faults"
    folder.mkdir(exist_ok=True)
    armed = folder / f"compaction.{point}"
    armed.write_text(who)
    return armed


def request(actor: Actor, talk: UUID) -> None:
    with workspace(actor.workspace_id):
        compaction_request(actor, conversation_id=talk, level=Level.LIGHT, policy=Policy())


def settled(actor: Actor, talk: UUID) -> bool:
    states = [run.state for run in runs_of(actor, talk)]
    return states == ["succeeded"] and not DueJob.objects.filter(kind="compaction").exists()


def check_folded_once(actor: Actor, talk: UUID) -> None:
    (run,) = runs_of(actor, talk)
    assert (run.version, run.compacted_count) == (1, 10)
    assert [row.compacted_in for row in history(actor, talk)] == [1] * 10 + [None] * 20
    check_invariants(actor, talk)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("point", POINTS)
def test_the_worker_is_killed(alice: Actor, dispatcher: Running, point: str) -> None:
    talk = long_talk(alice, messages=30, tokens=50)
    armed = arm(point, "group")
    first = start_worker()
    try:
        request(alice, talk)
        assert eventually(lambda: first.process.poll() is not None), first.log()
    finally:
        first.stop()
    assert not armed.exists()
    second = start_worker()
    try:
        assert eventually(lambda: settled(alice, talk)), second.log()
    finally:
        second.stop()
    check_folded_once(alice, talk)


@pytest.mark.django_db(transaction=True)
def test_only_the_process_that_works_is_killed(alice: Actor, dispatcher: Running) -> None:
    worker = start_worker()
    try:
        for point in POINTS:
            talk = long_talk(alice, messages=30, tokens=50)
            armed = arm(point, "process")
            request(alice, talk)
            assert eventually(lambda: settled(alice, talk)), worker.log()  # noqa: B023  # asked at once
            assert not armed.exists()
            check_folded_once(alice, talk)
    finally:
        worker.stop()
