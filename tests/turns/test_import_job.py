"""Imports in the background: stored, imported in slices, continued after a worker was killed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.models import KeyScope, Membership
from apps.common.errors import ContinuityError, Forbidden, Invalid, TooLarge
from apps.common.tenancy import workspace
from apps.conversations.imports.formats import Source
from apps.conversations.models import Message
from apps.jobs.models import DueJob, JobState
from apps.jobs.records import OperationView
from apps.jobs.selectors import job_find, operation_get
from apps.jobs.services import jobs_requeue
from apps.jobs.timeouts import JobTimes
from apps.turns.services.imports import batches as import_batches
from apps.turns.services.imports import job as import_job
from apps.turns.services.imports.batches import ImportRequest
from apps.turns.services.imports.job import JOB, import_start
from tests.compaction.runs import run_due_jobs
from tests.processes import eventually, start_dispatcher, start_worker
from tests.stack import TestServers

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def spool(settings: Settings, tmp_path: Path) -> Path:
    settings.CONTINUITY_HOME = tmp_path
    return tmp_path / "imports"


@pytest.fixture
def small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_job, "SLICE_S", 0)
    monkeypatch.setattr(import_batches, "BATCH_MESSAGES", 10)


def file_of(count: int) -> bytes:
    rows = [{"role": "user", "content": f"Message {number}"} for number in range(count)]
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def start(actor: Actor, content: bytes, name: str = "talk.jsonl") -> OperationView:
    chunks = (content[at : at + 1_000] for at in range(0, len(content), 1_000))
    return import_start(actor, request=ImportRequest(Source(name)), chunks=chunks)


def look(actor: Actor, operation: OperationView) -> OperationView:
    with workspace(actor.workspace_id):
        return operation_get(actor, operation.id)


def contents(actor: Actor) -> list[str]:
    with workspace(actor.workspace_id):
        return list(Message.objects.order_by("conversation_id", "index").values_list("content", flat=True))


def test_an_import_is_a_job_that_ends_with_its_report(alice: Actor, spool: Path) -> None:
    operation = start(alice, file_of(25) + b"oops\n")
    assert (operation.kind, operation.state) == ("import", "queued")
    assert [path.stat().st_mode & 0o777 for path in spool.iterdir()] == [0o600]
    run_due_jobs()
    done = look(alice, operation)
    assert (done.state, done.progress) == ("succeeded", 100)
    assert done.result is not None
    assert (done.result["read"], done.result["stored"], done.result["skipped_by_code"]) == (26, 25, {"invalid_json": 1})
    assert contents(alice) == [f"Message {number}" for number in range(25)]
    assert not list(spool.iterdir())


def test_slice_by_slice_the_report_is_the_same(alice: Actor, small_slices: None) -> None:
    operation = start(alice, b"oops\n" * 15 + file_of(55))
    assert run_due_jobs() > 5
    done = look(alice, operation)
    assert done.result is not None
    assert (done.result["read"], done.result["stored"], done.result["already_there"]) == (70, 55, 0)
    assert [one["line"] for one in done.result["skipped"]] == list(range(1, 16))
    assert done.result["conversations"][0]["stored"] == len(contents(alice)) == 55


def test_progress_can_be_watched(alice: Actor, small_slices: None, monkeypatch: pytest.MonkeyPatch) -> None:
    operation = start(alice, file_of(40))
    seen: list[tuple[str, str]] = []
    store = import_job.batch_store

    def watched(*args: object, **named: object) -> None:
        seen.append((look(alice, operation).state, look(alice, operation).stage))
        store(*args, **named)  # type: ignore[arg-type]  # handed through as it came

    monkeypatch.setattr(import_job, "batch_store", watched)
    run_due_jobs()
    assert seen == [("queued", ""), *(("running", f"{count} messages read") for count in (10, 20, 30))]


def test_the_same_file_sent_twice_is_imported_once(alice: Actor) -> None:
    start(alice, file_of(30))
    second = start(alice, file_of(30))
    run_due_jobs()
    done = look(alice, second)
    assert done.result is not None and done.result["already_there"] in (0, 30)
    assert len(contents(alice)) == 30


def test_a_failure_that_passes_is_tried_again(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    operation = start(alice, file_of(5))
    with monkeypatch.context() as broken:
        broken.setattr(import_job, "batch_store", _fail)
        run_due_jobs()
    assert look(alice, operation).state == "queued"
    job = job_find(workspace_id=alice.workspace_id, kind=JOB, key=str(operation.id))
    assert job is not None and (job.attempts, job.last_error) == (1, "RuntimeError")


def test_an_import_whose_attempts_are_used_up_says_when_it_is_tried_again_and_goes_on_then(
    alice: Actor, monkeypatch: pytest.MonkeyPatch, spool: Path
) -> None:
    operation = start(alice, file_of(5))
    with monkeypatch.context() as broken:
        broken.setattr(import_job, "batch_store", _fail)
        use_up_attempts()
    waiting = look(alice, operation)
    retry_at = DueJob.objects.get(kind=JOB).due_at.astimezone(UTC)
    assert waiting.state == "running"
    assert waiting.stage == f"Failed (internal_error). Next try: {retry_at:%Y-%m-%d %H:%M} UTC"
    assert list(spool.iterdir())
    requeue()
    run_due_jobs()
    assert (look(alice, operation).state, len(contents(alice)), list(spool.iterdir())) == ("succeeded", 5, [])


def test_an_import_that_never_works_ends_after_some_days_and_is_not_left_in_the_queue(
    alice: Actor, monkeypatch: pytest.MonkeyPatch, spool: Path
) -> None:
    operation = start(alice, file_of(5))
    monkeypatch.setattr(import_job, "batch_store", _fail)
    for _ in JobTimes().requeue_delays_s:
        use_up_attempts()
        assert look(alice, operation).state == "running"
        requeue()
    use_up_attempts()
    ended = look(alice, operation)
    assert (ended.state, ended.error) == (
        "failed",
        {"code": "internal_error", "detail": "The import failed several times."},
    )
    assert not DueJob.objects.filter(kind=JOB).exists()
    assert not list(spool.iterdir())


def use_up_attempts() -> None:
    for _ in range(JobTimes().max_attempts):
        DueJob.objects.filter(kind=JOB, state=JobState.DUE).update(due_at=timezone.now())
        run_due_jobs()


def requeue() -> None:
    DueJob.objects.filter(kind=JOB, state=JobState.DEAD).update(due_at=timezone.now())
    assert jobs_requeue()


def test_a_refusal_ends_the_import_with_the_reason(alice: Actor, monkeypatch: pytest.MonkeyPatch, spool: Path) -> None:
    operation = start(alice, file_of(5))
    monkeypatch.setattr(import_job, "batch_store", _refuse)
    run_due_jobs()
    ended = look(alice, operation)
    assert (ended.state, ended.error) == ("failed", {"code": "archived", "detail": "It is archived."})
    assert not list(spool.iterdir())


def test_a_lost_file_is_reported(alice: Actor, spool: Path) -> None:
    operation = start(alice, file_of(5))
    for path in spool.iterdir():
        path.unlink()
    run_due_jobs()
    error = look(alice, operation).error
    assert error is not None and error["code"] == "file_lost"


def test_who_left_the_workspace_imports_nothing_more(alice: Actor, bob: Actor) -> None:
    operation = start(bob, file_of(5))
    Membership.objects.filter(user_id=bob.user_id).delete()
    run_due_jobs()
    assert look(alice, operation).state == "failed"
    assert contents(alice) == []


def test_what_cannot_be_taken_leaves_nothing_behind(alice: Actor, monkeypatch: pytest.MonkeyPatch, spool: Path) -> None:
    reader = Actor(alice.user_id, alice.workspace_id, alice.role, frozenset({KeyScope.READ}))
    with pytest.raises(Forbidden):
        start(reader, file_of(1))
    with pytest.raises(Invalid, match="empty"):
        start(alice, b"")
    with pytest.raises(Invalid, match="limit"):
        start(alice, file_of(1), name="a" * 500)
    monkeypatch.setattr(import_job, "LARGEST_FILE", 100)
    with pytest.raises(TooLarge):
        start(alice, file_of(50))
    with pytest.raises(ConnectionError):
        import_start(alice, request=ImportRequest(Source("talk.jsonl")), chunks=_broken_off())
    assert not list(spool.iterdir())


def test_files_that_are_no_longer_needed_are_deleted(alice: Actor, spool: Path) -> None:
    spool.mkdir()
    (spool / "old").write_bytes(b"{}")
    os.utime(spool / "old", (0, 0))
    start(alice, file_of(1))
    assert [path.name for path in spool.iterdir()] != ["old"] and not (spool / "old").exists()


@pytest.mark.parametrize("point", ["import.before_commit", "import.after_commit"])
def test_a_killed_worker_is_followed_by_one_that_goes_on(
    alice: Actor, settings: Settings, point: str, stack: TestServers
) -> None:
    home = settings.CONTINUITY_HOME = stack.home
    (home / "faults").mkdir(exist_ok=True)
    (home / "faults" / point).touch()
    operation = start(alice, file_of(1_300))
    worker, dispatcher = start_worker(), start_dispatcher()
    try:
        assert eventually(lambda: look(alice, operation).state == "succeeded", 60), worker.log()[-3000:]
    finally:
        dispatcher.stop()
        worker.stop()
    assert not (home / "faults" / point).exists()
    result = look(alice, operation).result
    assert result is not None and (result["read"], result["stored"]) == (1_300, 1_300)
    assert contents(alice) == [f"Message {number}" for number in range(1_300)]


def _broken_off() -> Iterator[bytes]:
    yield b'{"role": "user", '
    raise ConnectionError


def _fail(*args: object, **named: object) -> None:
    raise RuntimeError


def _refuse(*args: object, **named: object) -> None:
    raise ContinuityError("It is archived.", code="archived")
