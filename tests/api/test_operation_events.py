"""Operations as server-sent events, over a real server: progress, outcome, and only while the reader has access."""

from __future__ import annotations

import http.client
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import ApiKey, Membership
from apps.api.openapi.examples import documented_examples
from apps.common.tenancy import workspace
from apps.jobs.services import operation_fail, operation_progress, operation_start, operation_succeed
from tests.api.callers import shape
from tests.processes import Web, start_web
from tests.turns.streams import Event, Talker, events, parsed

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def web(django_db_setup: None) -> Iterator[Web]:
    running = start_web()
    yield running
    running.stop()


@dataclass
class Task:
    """An operation of Alice's, and the stream that she follows it with."""

    alice: Actor
    web: Web
    id: UUID = field(init=False)

    def __post_init__(self) -> None:
        with workspace(self.alice.workspace_id):
            self.id = operation_start(self.alice, kind="import", subject="atlas").id

    def open(self, actor: Actor | None = None) -> http.client.HTTPResponse:
        return Talker(self.web, actor or self.alice).open("GET", f"/operations/{self.id}/events")

    def report(self, change: Callable[..., None], **values: object) -> None:
        with workspace(self.alice.workspace_id):
            change(operation_id=self.id, **values)


@pytest.fixture
def task(alice: Actor, web: Web) -> Task:
    return Task(alice, web)


def states(stream: list[Event]) -> list[tuple[str, str, int]]:
    return [(name, data["state"], data["progress"]) for name, data in stream]


def test_an_operation_is_followed_to_its_end(task: Task) -> None:
    stream = events(task.open())
    seen = [next(stream)]
    task.report(operation_progress, stage="reading", progress=40)
    seen.append(next(stream))
    task.report(operation_succeed, result={"messages": 2})
    seen += stream
    assert states(seen) == [("progress", "queued", 0), ("progress", "running", 40), ("done", "succeeded", 100)]
    assert seen[-1][1]["result"] == {"messages": 2}


def test_a_failure_ends_the_stream_with_its_reason(task: Task) -> None:
    stream = events(task.open())
    next(stream)
    error = {"code": "bad_file", "detail": "The file has no messages."}
    task.report(operation_fail, error=error)
    ((name, data),) = stream
    assert (name, data["error"]) == ("failed", error)


def test_a_finished_operation_is_one_event(task: Task) -> None:
    task.report(operation_succeed, result={})
    response = task.open()
    assert response.headers["Content-Type"] == "text/event-stream"
    assert states(list(events(response))) == [("done", "succeeded", 100)]


@pytest.mark.parametrize("model", [ApiKey, Membership], ids=["key", "membership"])
def test_a_reader_who_loses_access_hears_no_more(task: Task, model: type[ApiKey] | type[Membership]) -> None:
    stream = events(task.open())
    next(stream)
    model.objects.filter(user_id=task.alice.user_id).delete()
    ((name, data),) = stream
    assert (name, data["code"]) == ("revoked", "access_revoked")


def test_an_operation_of_someone_else_does_not_exist(task: Task, charlie: Actor) -> None:
    assert task.open(charlie).status == 404


def test_a_server_that_shuts_down_ends_its_streams(task: Task) -> None:
    task.web = start_web()
    stream = events(task.open())
    next(stream)
    task.web.process.terminate()
    assert list(stream) == []
    task.web.stop()


def test_the_events_are_those_of_the_example(task: Task) -> None:
    task.report(operation_progress, stage="reading", progress=40)
    stream = events(task.open())
    seen = [next(stream)]
    task.report(operation_succeed, result={"messages": 2})
    seen += stream
    example = documented_examples()["operation_events_get"]["response"]
    shown = list(parsed(line.encode() for line in example.splitlines()))
    assert [(name, shape(data)) for name, data in seen] == [(name, shape(data)) for name, data in shown]
