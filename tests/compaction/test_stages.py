"""How far a run is, told while it runs, and ending it before it changes anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.errors import Conflict
from apps.common.tenancy import workspace
from apps.compaction.models import CompactionRun
from apps.compaction.records import RUN_STAGES, RunRecord
from apps.compaction.selectors.contexts import run_get
from apps.compaction.services import pipeline
from apps.compaction.services.request import compaction_request
from apps.compaction.services.stop import compaction_stop
from apps.context.selectors.conversation.health import conversation_health
from apps.engine.compaction.health import HealthCode, HealthReason
from apps.engine.policy import Level, Policy
from apps.engine.summary.rolling_summary import RollingSummary
from apps.jobs.models import DueJob
from apps.jobs.selectors import operation_get
from tests.compaction.work import at_once, check_invariants, compact, runs_of, work_off
from tests.conversations.talk import history, long_talk, say

pytestmark = pytest.mark.django_db(transaction=True)
While = Callable[[Callable[[], Any]], None]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The frames that are sent, each only if no transaction was open then."""
    frames: list[dict[str, Any]] = []

    def carry(group: str, frame: dict[str, Any]) -> bool:
        assert not connection.in_atomic_block
        frames.append(frame)
        return True

    monkeypatch.setattr("apps.events.publish.publish_frame", carry)
    return frames


@pytest.fixture
def while_it_writes(monkeypatch: pytest.MonkeyPatch) -> While:
    """Does something after the snapshot and before the summary is stored."""
    real = pipeline.summarised

    def install(act: Callable[[], Any]) -> None:
        def summarised(*args: object) -> RollingSummary:
            act()
            return real(*args)  # type: ignore[arg-type]  # handed through

        monkeypatch.setattr(pipeline, "summarised", summarised)

    return install


def stop(actor: Actor, talk: UUID) -> RunRecord:
    with workspace(actor.workspace_id):
        run = CompactionRun.objects.filter(conversation_id=talk).order_by("-id")[0]
        return compaction_stop(actor, conversation_id=talk, run_id=run.id, policy=Policy())


def test_every_stage_is_told_once_and_in_order(alice: Actor, told: list[dict[str, Any]]) -> None:
    talk = long_talk(alice, messages=30, tokens=50)
    run = compact(alice, talk)
    staged = [frame["data"]["compaction"] for frame in told if frame["name"] == "CompactionStaged"]
    assert [(mark.stage, mark.progress) for mark in staged] == list(RUN_STAGES.items())
    assert {mark.run_id for mark in staged} == {run.id}
    names = [frame["name"] for frame in told]
    assert names.index("CompactionStarted") < names.index("CompactionStaged") < names.index("ContextCompacted")


def test_record_operation_and_health_say_the_same_while_it_runs(alice: Actor, while_it_writes: While) -> None:
    talk, seen = long_talk(alice, messages=30, tokens=50), list[Any]()

    def look() -> None:
        with workspace(alice.workspace_id):
            run = run_get(alice, talk, runs_of(alice, talk)[0].id)
            operation = operation_get(alice, run.operation_id)
            seen.append((run.stage, run.progress, operation.stage, operation.progress))
            seen.append(conversation_health(alice, talk)[1].reason)

    while_it_writes(look)
    run = compact(alice, talk)
    assert seen == [("writing", 35, "writing", 35), HealthReason(HealthCode.RUNNING, {"percent": 35})]
    with workspace(alice.workspace_id):
        done = run_get(alice, talk, run.id)
    assert (done.state, done.stage, done.progress) == ("succeeded", "", 100)


def test_a_run_that_is_stopped_changes_nothing(
    alice: Actor, while_it_writes: While, told: list[dict[str, Any]]
) -> None:
    talk = long_talk(alice, messages=30, tokens=50)
    while_it_writes(lambda: stop(alice, talk))
    run = compact(alice, talk)
    (only,) = runs_of(alice, talk)
    assert (only.id, only.state, only.error_code, only.retry_at) == (run.id, "stopped", "stopped", None)
    assert all(row.compacted_in is None for row in history(alice, talk))
    assert not DueJob.objects.filter(kind="compaction", key=str(talk)).exists()
    dropped = [frame["data"]["compaction"] for frame in told if frame["name"] == "CompactionDropped"]
    assert [mark.state for mark in dropped] == ["stopped"]
    with workspace(alice.workspace_id):
        assert operation_get(alice, run.operation_id).error == {"code": "stopped", "detail": "Somebody stopped it."}
    check_invariants(alice, talk)


def test_a_run_that_fails_after_it_was_stopped_stays_stopped(alice: Actor, while_it_writes: While) -> None:
    talk = long_talk(alice, messages=30, tokens=50)

    def stop_and_fail() -> None:
        stop(alice, talk)
        raise RuntimeError("the model hung up")

    while_it_writes(stop_and_fail)
    compact(alice, talk)
    DueJob.objects.update(due_at="2020-01-01T00:00:00Z")
    work_off()
    assert [(run.state, run.error_code) for run in runs_of(alice, talk)] == [("stopped", "stopped")]


def test_a_failed_run_that_would_be_tried_again_is_stopped(alice: Actor, while_it_writes: While) -> None:
    talk = long_talk(alice, messages=30, tokens=50)

    def fail() -> None:
        raise RuntimeError("the model hung up")

    while_it_writes(fail)
    compact(alice, talk)
    assert runs_of(alice, talk)[0].retry_at is not None
    stop(alice, talk)
    while_it_writes(lambda: None)
    DueJob.objects.update(due_at="2020-01-01T00:00:00Z")
    work_off()
    assert [run.state for run in runs_of(alice, talk)] == ["stopped"]


def test_a_run_that_was_quicker_than_the_stop_stands(alice: Actor) -> None:
    talk = long_talk(alice, messages=30, tokens=50)
    compact(alice, talk)
    with pytest.raises(Conflict):
        stop(alice, talk)


def test_after_an_automatic_one_is_stopped_it_rests_until_the_next_level(
    alice: Actor, settings: Settings, while_it_writes: While
) -> None:
    at_once(settings)
    talk = long_talk(alice, messages=40)
    while_it_writes(lambda: stop(alice, talk))
    work_off()
    assert [(run.trigger, run.state) for run in runs_of(alice, talk)] == [("auto", "stopped")]
    while_it_writes(lambda: None)
    say(alice, talk, "go on", "yes")
    assert not DueJob.objects.filter(kind="compaction", key=str(talk)).exists()
    say(alice, talk, *["word " * 240 for _ in range(14)])
    work_off()
    assert runs_of(alice, talk)[-1].state == "succeeded"


def test_a_stopped_request_can_be_made_again(alice: Actor) -> None:
    talk = long_talk(alice, messages=30, tokens=50)
    with workspace(alice.workspace_id):
        compaction_request(alice, conversation_id=talk, level=Level.LIGHT, policy=Policy())
    stop(alice, talk)
    compact(alice, talk)
    assert [run.state for run in runs_of(alice, talk)] == ["stopped", "succeeded"]


def test_a_stop_at_the_last_moment_still_holds(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the last stage was told, before the summary is stored."""
    talk, staged = long_talk(alice, messages=30, tokens=50), pipeline.run_staged

    def then_stop(run_id: UUID, stage: str) -> None:
        staged(run_id, stage)
        if stage == "storing":
            stop(alice, talk)

    monkeypatch.setattr(pipeline, "run_staged", then_stop)
    compact(alice, talk)
    assert [run.state for run in runs_of(alice, talk)] == ["stopped"]
    assert all(row.compacted_in is None for row in history(alice, talk))
