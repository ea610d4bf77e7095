"""Progress events of a run, and stopping a run before it changes anything."""

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
from tests.compaction.runs import check_invariants, compact, run_due_jobs, runs_of, without_debounce
from tests.conversations.long_conversations import history, long_talk, say

pytestmark = pytest.mark.django_db(transaction=True)
DuringRun = Callable[[Callable[[], Any]], None]


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Collect published frames; fail if one is published inside a transaction."""
    frames: list[dict[str, Any]] = []

    def record_frame(group: str, frame: dict[str, Any]) -> bool:
        assert not connection.in_atomic_block
        frames.append(frame)
        return True

    monkeypatch.setattr("apps.events.publish.publish_frame", record_frame)
    return frames


@pytest.fixture
def during_run(monkeypatch: pytest.MonkeyPatch) -> DuringRun:
    """Run a callback after the snapshot and before the summary is stored."""
    original = pipeline.summarized

    def install(action: Callable[[], Any]) -> None:
        def summarized(*args: object) -> RollingSummary:
            action()
            return original(*args)  # type: ignore[arg-type]  # passed through

        monkeypatch.setattr(pipeline, "summarized", summarized)

    return install


def stop(actor: Actor, conversation_id: UUID) -> RunRecord:
    with workspace(actor.workspace_id):
        run = CompactionRun.objects.filter(conversation_id=conversation_id).order_by("-id")[0]
        return compaction_stop(actor, conversation_id=conversation_id, run_id=run.id, policy=Policy())


def test_every_stage_is_published_once_and_in_order(alice: Actor, published: list[dict[str, Any]]) -> None:
    conversation_id = long_talk(alice, messages=30, tokens=50)
    run = compact(alice, conversation_id)
    staged = [frame["data"]["compaction"] for frame in published if frame["name"] == "CompactionStaged"]
    assert [(state.stage, state.progress) for state in staged] == list(RUN_STAGES.items())
    assert {state.run_id for state in staged} == {run.id}
    names = [frame["name"] for frame in published]
    assert names.index("CompactionStarted") < names.index("CompactionStaged") < names.index("ContextCompacted")


def test_run_operation_and_health_agree_while_a_run_is_active(alice: Actor, during_run: DuringRun) -> None:
    conversation_id, observed = long_talk(alice, messages=30, tokens=50), list[Any]()

    def observe() -> None:
        with workspace(alice.workspace_id):
            run = run_get(alice, conversation_id, runs_of(alice, conversation_id)[0].id)
            operation = operation_get(alice, run.operation_id)
            observed.append((run.stage, run.progress, operation.stage, operation.progress))
            observed.append(conversation_health(alice, conversation_id)[1].reason)

    during_run(observe)
    run = compact(alice, conversation_id)
    assert observed == [("writing", 35, "writing", 35), HealthReason(HealthCode.RUNNING, {"percent": 35})]
    with workspace(alice.workspace_id):
        done = run_get(alice, conversation_id, run.id)
    assert (done.state, done.stage, done.progress) == ("succeeded", "", 100)


def test_a_stopped_run_changes_nothing(alice: Actor, during_run: DuringRun, published: list[dict[str, Any]]) -> None:
    conversation_id = long_talk(alice, messages=30, tokens=50)
    during_run(lambda: stop(alice, conversation_id))
    run = compact(alice, conversation_id)
    (run_row,) = runs_of(alice, conversation_id)
    assert (run_row.id, run_row.state, run_row.error_code, run_row.retry_at) == (run.id, "stopped", "stopped", None)
    assert all(row.compacted_in is None for row in history(alice, conversation_id))
    assert not DueJob.objects.filter(kind="compaction", key=str(conversation_id)).exists()
    dropped = [frame["data"]["compaction"] for frame in published if frame["name"] == "CompactionDropped"]
    assert [state.state for state in dropped] == ["stopped"]
    with workspace(alice.workspace_id):
        assert operation_get(alice, run.operation_id).error == {
            "code": "stopped",
            "detail": "The compaction was stopped.",
        }
    check_invariants(alice, conversation_id)


def test_a_run_that_fails_after_it_was_stopped_stays_stopped(alice: Actor, during_run: DuringRun) -> None:
    conversation_id = long_talk(alice, messages=30, tokens=50)

    def stop_and_fail() -> None:
        stop(alice, conversation_id)
        raise RuntimeError("the model hung up")

    during_run(stop_and_fail)
    compact(alice, conversation_id)
    DueJob.objects.update(due_at="2020-01-01T00:00:00Z")
    run_due_jobs()
    assert [(run.state, run.error_code) for run in runs_of(alice, conversation_id)] == [("stopped", "stopped")]


def test_a_failed_run_waiting_for_its_retry_can_be_stopped(alice: Actor, during_run: DuringRun) -> None:
    conversation_id = long_talk(alice, messages=30, tokens=50)

    def fail() -> None:
        raise RuntimeError("the model hung up")

    during_run(fail)
    compact(alice, conversation_id)
    assert runs_of(alice, conversation_id)[0].retry_at is not None
    stop(alice, conversation_id)
    during_run(lambda: None)
    DueJob.objects.update(due_at="2020-01-01T00:00:00Z")
    run_due_jobs()
    assert [run.state for run in runs_of(alice, conversation_id)] == ["stopped"]


def test_a_finished_run_cannot_be_stopped(alice: Actor) -> None:
    conversation_id = long_talk(alice, messages=30, tokens=50)
    compact(alice, conversation_id)
    with pytest.raises(Conflict):
        stop(alice, conversation_id)


def test_stopping_an_automatic_run_pauses_compaction_until_the_next_level(
    alice: Actor, settings: Settings, during_run: DuringRun
) -> None:
    without_debounce(settings)
    conversation_id = long_talk(alice, messages=40)
    during_run(lambda: stop(alice, conversation_id))
    run_due_jobs()
    assert [(run.trigger, run.state) for run in runs_of(alice, conversation_id)] == [("auto", "stopped")]
    during_run(lambda: None)
    say(alice, conversation_id, "go on", "yes")
    assert not DueJob.objects.filter(kind="compaction", key=str(conversation_id)).exists()
    say(alice, conversation_id, *["word " * 240 for _ in range(14)])
    run_due_jobs()
    assert runs_of(alice, conversation_id)[-1].state == "succeeded"


def test_a_stopped_request_can_be_made_again(alice: Actor) -> None:
    conversation_id = long_talk(alice, messages=30, tokens=50)
    with workspace(alice.workspace_id):
        compaction_request(alice, conversation_id=conversation_id, level=Level.LIGHT, policy=Policy())
    stop(alice, conversation_id)
    compact(alice, conversation_id)
    assert [run.state for run in runs_of(alice, conversation_id)] == ["stopped", "succeeded"]


def test_a_stop_at_the_last_stage_takes_effect(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop after the last stage was published and before the summary is stored."""
    conversation_id, staged = long_talk(alice, messages=30, tokens=50), pipeline.run_staged

    def stage_then_stop(run_id: UUID, stage: str) -> None:
        staged(run_id, stage)
        if stage == "storing":
            stop(alice, conversation_id)

    monkeypatch.setattr(pipeline, "run_staged", stage_then_stop)
    compact(alice, conversation_id)
    assert [run.state for run in runs_of(alice, conversation_id)] == ["stopped"]
    assert all(row.compacted_in is None for row in history(alice, conversation_id))
