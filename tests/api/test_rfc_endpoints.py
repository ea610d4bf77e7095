"""The nine endpoints that hooks, clients and the viewer of an agent call, at their exact paths."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.jobs.services import canary_record_return
from tests.api.callers import Caller
from tests.conversations.long_conversations import conversation, say
from tests.people import key_client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def talk(alice: Actor) -> UUID:
    canary_record_return()
    conversation_id = conversation(alice, title="Bookings", external_id="session-7f3a")
    say(alice, conversation_id, "How do we store bookings?", "In PostgreSQL.")
    return conversation_id


@pytest.fixture(autouse=True)
def viewer(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<!doctype html><title>Continuity</title>")
    settings.PAGE_ROOT = tmp_path


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/api/health", {"status"}),
        ("/api/context/session-7f3a", {"text", "sections", "omitted", "tokens", "bytes"}),
        ("/api/search?q=bookings&mode=find", {"hits"}),
        ("/api/profile", {"user_memory", "memories"}),
        ("/api/tree?uri=mem://user/", {"data", "next_cursor"}),
        ("/api/sessions", {"data", "next_cursor"}),
        ("/api/sessions/session-7f3a", {"id", "archive", "memories", "message_count", "links"}),
    ],
)
@pytest.mark.usefixtures("talk")
def test_every_endpoint_answers_a_key_at_its_path(path: str, names: set[str], alice: Actor) -> None:
    answer = key_client_of(alice).get(path)
    assert answer.status_code == 200, answer.content
    assert names <= answer.json().keys()


def test_a_memory_is_created_by_hand(alice: Actor) -> None:
    answer = key_client_of(alice).post("/api/memories", {"uri": "mem://user/profile/tea", "content": "Prefers tea."})
    assert (answer.status_code, answer.json()["uri"]) == (201, "mem://user/profile/tea")


def test_the_viewer_is_at_the_root(alice: Actor) -> None:
    answer = key_client_of(alice).get("/")
    assert (answer.status_code, answer["Content-Type"].split(";")[0]) == (200, "text/html")


def test_the_same_session_answers_by_its_id_and_by_its_external_id(alice: Actor, bob: Actor, talk: UUID) -> None:
    for path in ("context", "sessions"):
        by_id, by_name = (Caller(alice).get(f"/{path}/{name}") for name in (talk, "session-7f3a"))
        assert by_id == by_name
        assert Caller(bob).get(f"/{path}/{talk}", 404) and Caller(bob).get(f"/{path}/session-7f3a", 404)


def test_other_methods_are_refused(alice: Actor) -> None:
    client = key_client_of(alice)
    for path in ("health", "context/new", "profile", "tree", "sessions"):
        assert client.post(f"/api/{path}", {}).status_code == 405, path
