"""Imports over HTTP: uploaded as a stream, parsed in the background, reported exactly."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.models import Workspace
from apps.jobs.models import DueJob
from apps.turns.services.imports import job as import_job
from tests.api.callers import Caller, viewer_of
from tests.compaction.runs import run_due_jobs
from tests.people import PASSWORD, JsonClient, key_client_of

pytestmark = pytest.mark.django_db

LINES = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]
LINES_FILE = "\n".join(json.dumps(line) for line in LINES).encode()
LOCOMO_FILE = json.dumps(
    [
        {
            "sample_id": "s1",
            "conversation": {
                "speaker_a": "Ana",
                "speaker_b": "Ben",
                "session_1_date_time": "1:56 pm on 8 May, 2023",
                "session_1": [
                    {"speaker": "Ana", "dia_id": "D1:1", "text": "Hello Ben"},
                    {"speaker": "Ben", "dia_id": "D1:2", "text": "Hello Ana"},
                ],
            },
        }
    ]
).encode()


def send(
    actor: Actor, file: bytes, query: str = "", content_type: str = "application/x-ndjson", status: int = 202
) -> Any:
    answer = Caller(actor).client.generic("POST", f"/api/imports{query}", file, content_type)
    assert answer.status_code == status, answer.content
    return answer.json()


def imported(actor: Actor, file: bytes, query: str = "") -> Any:
    """Upload a file, run the import, and return its report."""
    operation = send(actor, file, query)
    run_due_jobs()
    done = Caller(actor).get(f"/operations/{operation['id']}")
    assert done["state"] == "succeeded", done
    return done["result"]


@pytest.mark.parametrize(
    "content_type", ["application/x-ndjson", "application/jsonl", "application/json", "application/octet-stream"]
)
def test_a_signed_in_person_can_import_as_a_program_can(alice: Actor, content_type: str) -> None:
    browser = JsonClient(enforce_csrf_checks=True)
    browser.post("/api/sign-in", {"email": "alice@example.org", "password": PASSWORD})
    token = {"X-CSRFToken": browser.cookies["csrftoken"].value}
    assert browser.generic("POST", "/api/imports", LINES_FILE, content_type).status_code == 403
    answer = browser.generic("POST", "/api/imports", LINES_FILE, content_type, headers=token)
    assert answer.status_code == 202, answer.content


@pytest.mark.parametrize("file", [b"[" * 4_000_000, b"[" * 100 + b"]" * 100, b'{"conversation":' + b"[" * 64])
def test_a_file_of_brackets_is_refused_without_filling_the_memory(alice: Actor, file: bytes) -> None:
    tracemalloc.start()
    try:
        report = imported(alice, file)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [entry["code"] for entry in report["skipped"]] == ["too_deep"]
    assert peak < 40_000_000


def test_an_import_that_fills_the_memory_fails_and_is_not_repeated(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(*_: object) -> None:
        raise MemoryError

    operation = send(alice, LINES_FILE)
    monkeypatch.setattr(import_job, "import_batches", fill)
    run_due_jobs()
    done = Caller(alice).get(f"/operations/{operation['id']}")
    assert (done["state"], done["error"]["code"]) == ("failed", "out_of_memory")
    assert not DueJob.objects.filter(kind=import_job.JOB).exists()


def test_an_import_keeps_tool_calls_and_tells_what_it_did_not_read(alice: Actor) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    lines = [
        {"role": "user", "content": "Trains?", "mood": "curious"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "content": "12 trains", "tool_call_id": "c1", "mood": "calm"},
    ]
    report = imported(alice, "\n".join(map(json.dumps, lines)).encode())
    assert (report["stored"], report["unknown_fields"]) == (3, {"mood": 2})
    messages = Caller(alice).get(f"/conversations/{report['conversations'][0]['id']}/messages")["data"]
    kinds = [[part["kind"] for part in message["parts"]] for message in messages]
    assert kinds == [[], ["tool_call"], ["tool_result"]]


def test_texts_of_a_file_are_cleaned_and_it_is_told(alice: Actor) -> None:
    lines = [
        {"role": "user", "content": "a\x00b\u202e c", "name": "Jo\u200bnas"},
        {"role": "user", "content": "\ud800 and cafe\u0301"},
    ]
    report = imported(alice, "\n".join(map(json.dumps, lines)).encode())
    assert (report["stored"], report["skipped_count"]) == (2, 0)
    assert report["changed_texts"] == {"replaced": 2, "removed_hidden": 1}
    messages = Caller(alice).get(f"/conversations/{report['conversations'][0]['id']}/messages")["data"]
    assert [one["content"] for one in messages] == ["a\ufffdb c", "\ufffd and café"]
    assert messages[0]["name"] == "Jonas"


def test_lines_become_a_conversation(alice: Actor) -> None:
    report = imported(alice, LINES_FILE, "?title=Trip&name=trip.jsonl")
    assert (report["read"], report["stored"], report["skipped_count"]) == (2, 2, 0)
    caller = Caller(alice)
    (made,) = caller.get("/conversations")["data"]
    assert (made["id"], made["title"]) == (report["conversations"][0]["id"], "Trip")
    rows = caller.get(f"/conversations/{made['id']}/messages")["data"]
    assert [{"role": row["role"], "content": row["content"]} for row in rows] == LINES


def test_locomo_keeps_both_names(alice: Actor) -> None:
    report = imported(alice, LOCOMO_FILE, "?format=locomo")
    path = f"/conversations/{report['conversations'][0]['id']}/messages"
    rows = Caller(alice).get(path)["data"]
    assert [(row["role"], row["name"]) for row in rows] == [("user", "Ana"), ("assistant", "Ben")]


def test_the_same_file_again_adds_nothing(alice: Actor) -> None:
    imported(alice, LINES_FILE, "?name=trip.jsonl")
    report = imported(alice, LINES_FILE, "?name=trip.jsonl")
    assert (report["stored"], report["already_there"]) == (0, 2)


def test_what_cannot_be_read_is_reported_with_its_line(alice: Actor) -> None:
    report = imported(alice, b"\n".join([LINES_FILE, b"{broken", b'{"role": "robot", "content": "x"}']))
    assert report["stored"] == 2
    assert [(skipped["line"], skipped["code"]) for skipped in report["skipped"]] == [
        (3, "invalid_json"),
        (4, "unknown_role"),
    ]


def test_everything_can_go_into_one_named_conversation(alice: Actor) -> None:
    mine = Caller(alice).post("/conversations", {"external_id": "chat-7"})["id"]
    report = imported(alice, LINES_FILE, "?external_id=chat-7")
    assert report["conversations"][0]["id"] == mine


@pytest.mark.parametrize("query", ["?format=csv", "?titel=x", f"?title={'x' * 201}", "?name=", "?name=%00"])
def test_a_question_that_makes_no_sense_is_refused(query: str, alice: Actor) -> None:
    assert send(alice, LINES_FILE, query, status=400)["errors"]


def test_an_empty_file_is_refused(alice: Actor) -> None:
    assert send(alice, b"", status=400)["code"] == "empty_file"


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_form_of_another_site_is_no_file(content_type: str, alice: Actor) -> None:
    assert "application/x-ndjson" in send(alice, LINES_FILE, content_type=content_type, status=415)["detail"]


def test_a_file_that_is_too_large_is_rejected_and_not_stored(
    alice: Actor, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_job, "LARGEST_FILE", 100_000)
    folder = settings.CONTINUITY_HOME / "imports"
    before = set(folder.iterdir()) if folder.exists() else set()
    assert send(alice, b"x" * 100_001, status=413)["code"] == "too_large"
    assert set(folder.iterdir()) == before
    assert Caller(alice).get("/operations")["data"] == []


def test_a_file_is_larger_than_other_bodies_may_be(alice: Actor, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    line = json.dumps({"role": "user", "content": "x" * 900}).encode()
    assert imported(alice, b"\n".join([line] * 10))["stored"] == 10


def test_the_operation_is_returned_with_its_location(alice: Actor) -> None:
    answer = Caller(alice).client.generic("POST", "/api/v1/imports", LINES_FILE, "application/json")
    assert answer["Location"] == f"/api/operations/{answer.json()['id']}"
    assert answer.json()["kind"] == "import"


def test_readers_import_nothing(acme: Workspace, alice: Actor) -> None:
    send(viewer_of(acme), LINES_FILE, status=403)
    reading = key_client_of(alice, "read")
    assert reading.generic("POST", "/api/imports", LINES_FILE, "application/x-ndjson").status_code == 403


def test_the_import_is_its_owners_alone(alice: Actor, charlie: Actor) -> None:
    operation = send(alice, LINES_FILE)
    Caller(charlie).get(f"/operations/{operation['id']}", status=404)
    run_due_jobs()
    assert Caller(charlie).get("/conversations")["data"] == []
