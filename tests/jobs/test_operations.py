"""Operations: access, a single ending, and monotonic progress."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from apps.accounts.actors import Actor
from apps.common.errors import NotFound
from apps.common.tenancy import workspace
from apps.jobs.selectors import operation_get, operation_list
from apps.jobs.services import operation_fail, operation_progress, operation_start, operation_succeed


@pytest.fixture
def unit(alice: Actor) -> Iterator[None]:
    with workspace(alice.workspace_id):
        yield


def test_an_operation_begins_queued(bob: Actor, unit: None) -> None:
    view = operation_start(bob, kind="compaction", subject="c1")
    assert operation_get(bob, view.id) == view
    assert (view.state, view.progress, view.subject, view.finished_at) == ("queued", 0, "c1", None)


def test_progress_never_runs_backwards_but_the_stage_moves_on(bob: Actor, unit: None) -> None:
    view = operation_start(bob, kind="compaction", subject="c1")
    operation_progress(operation_id=view.id, stage="summarising", progress=60)
    operation_progress(operation_id=view.id, stage="once more", progress=10)
    again = operation_get(bob, view.id)
    assert (again.state, again.stage, again.progress) == ("running", "once more", 60)
    assert again.updated_at > view.updated_at


def test_an_operation_ends_once(bob: Actor, unit: None) -> None:
    view = operation_start(bob, kind="compaction", subject="c1")
    operation_succeed(operation_id=view.id, result={"version": 2})
    operation_fail(operation_id=view.id, error={"code": "late", "detail": "Too late."})
    operation_progress(operation_id=view.id, stage="late", progress=5)
    ended = operation_get(bob, view.id)
    assert (ended.state, ended.progress, ended.result, ended.error) == ("succeeded", 100, {"version": 2}, None)
    assert ended.finished_at is not None


def test_a_failed_operation_reports_the_reason(bob: Actor, unit: None) -> None:
    view = operation_start(bob, kind="compaction", subject="c1")
    operation_fail(operation_id=view.id, error={"code": "timeout", "detail": "It took too long."})
    failed = operation_get(bob, view.id)
    assert (failed.state, failed.error) == ("failed", {"code": "timeout", "detail": "It took too long."})


def test_bob_sees_his_own_and_alice_who_administers_sees_all(alice: Actor, bob: Actor, unit: None) -> None:
    his = operation_start(bob, kind="compaction", subject="c1")
    hers = operation_start(alice, kind="compaction", subject="c2")
    assert {view.id for view in operation_list(alice, after=None, limit=10).data} == {hers.id, his.id}
    assert [view.id for view in operation_list(bob, after=None, limit=10).data] == [his.id]
    with pytest.raises(NotFound):
        operation_get(bob, hers.id)


def test_the_list_comes_in_pages_and_by_subject(bob: Actor, unit: None) -> None:
    ids = [operation_start(bob, kind="compaction", subject=f"c{number}").id for number in range(3)]
    page = operation_list(bob, after=None, limit=2)
    rest = operation_list(bob, after=page.next_cursor, limit=2)
    assert [view.id for view in (*page.data, *rest.data)] == sorted(ids, reverse=True)
    assert rest.next_cursor is None
    assert [view.id for view in operation_list(bob, after=None, limit=5, subject="c1").data] == [ids[1]]


def test_charlie_finds_and_changes_nothing_of_acme(bob: Actor, charlie: Actor) -> None:
    with workspace(bob.workspace_id):
        view = operation_start(bob, kind="compaction", subject="c1")
    with workspace(charlie.workspace_id):
        assert operation_list(charlie, after=None, limit=10).data == []
        with pytest.raises(NotFound):
            operation_get(charlie, view.id)
        operation_fail(operation_id=view.id, error={"code": "foreign", "detail": "Not his."})
    with workspace(bob.workspace_id):
        assert operation_get(bob, view.id).state == "queued"
