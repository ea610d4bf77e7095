"""Files of other tools: uploaded, recognized, previewed and imported once; nothing in them harms the server."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.models import Workspace
from apps.agents.models import AgentSession, Observation
from apps.common.errors import Conflict
from apps.common.ids import uuid7
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation, Message
from apps.jobs.services import schedule_tick
from apps.memory.models import MemNode
from apps.transfer.files import uploads
from apps.transfer.files.recognition import ALL_ENDINGS
from apps.transfer.files.uploads import SentFile
from apps.transfer.formats.readers import KINDS
from apps.transfer.models import ImportedItem, ImportRun
from apps.transfer.services.imports import file_job
from apps.transfer.services.imports.files import FileImportRequest, file_import_start
from tests.api.callers import Caller, viewer_of
from tests.client.claude_mem_databases import Database
from tests.compaction.runs import run_due_jobs
from tests.engine.agent_transcripts import SAMPLE, SESSION
from tests.people import client_of
from tests.transfer.uploads import packed

pytestmark = pytest.mark.django_db

Files = dict[str, bytes]
CHATGPT = [
    {
        "conversation_id": "c1",
        "title": "Trains to Rome",
        "current_node": "b",
        "mapping": {
            "a": {
                "id": "a",
                "message": {"id": "m1", "author": {"role": "user"}, "content": {"parts": ["Which train?"]}},
            },
            "b": {
                "id": "b",
                "parent": "a",
                "message": {"id": "m2", "author": {"role": "assistant"}, "content": {"parts": ["The night train."]}},
            },
        },
    }
]
CLAUDE_AI = [
    {
        "uuid": "k1",
        "name": "Tea",
        "chat_messages": [
            {"uuid": "n1", "sender": "human", "text": "Which tea?"},
            {"uuid": "n2", "sender": "assistant", "text": "Green tea."},
        ],
    }
]
MEM0 = {"results": [{"id": "1", "memory": "Alice prefers tea to coffee."}, {"id": "2", "memory": ""}]}
MEMORY = b"---\nname: tabs\ntype: feedback\n---\nUse tabs in Makefiles."


def transcript() -> bytes:
    return b"\n".join([json.dumps(entry).encode() for entry in SAMPLE] + [b'{"type": "user", "mess'])


def claude_mem(tmp_path: Path) -> Files:
    database = Database(tmp_path, "v13")
    database.close()
    return {"claude-mem.db": database.path.read_bytes()}


def send(actor: Actor, files: Files, query: str = "", status: int = 202, **fields: str) -> Any:
    parts = [SimpleUploadedFile(name.split("/")[-1], content) for name, content in files.items()]
    details = json.dumps([{"path": name, "modified_at": "2026-03-01T10:00:00Z"} for name in files])
    form = {"file": parts, "details": details, **fields}
    answer = client_of(actor).post(f"/api/imports/files{query}", form, format="multipart")
    assert answer.status_code == status, answer.content
    return answer.json()


def run(actor: Actor, files: Files, query: str = "") -> Any:
    """Import files that the person confirmed, and return the finished operation."""
    operation = send(actor, files, f"{query or '?'}&confirmed=true")
    run_due_jobs()
    return Caller(actor).get(f"/operations/{operation['id']}")


def report_of(actor: Actor, files: Files, query: str = "") -> Any:
    done = run(actor, files, query)
    assert done["state"] == "succeeded", done
    return done["result"]


def rows(actor: Actor) -> dict[str, int]:
    with workspace(actor.workspace_id):
        models = (AgentSession, Observation, Conversation, Message, MemNode, ImportRun, ImportedItem)
        return {model.__name__: model.objects.count() for model in models}


@pytest.fixture
def store(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of uploads, which is empty after every import, however it ended."""
    settings.CONTINUITY_HOME = tmp_path_factory.mktemp("home")
    folder: Path = settings.CONTINUITY_HOME / "file-imports"
    yield folder
    assert not folder.is_dir() or not list(folder.iterdir())


SOURCES = {
    "claude-mem": None,
    "transcripts": {f"-work-booking/{SESSION}.jsonl": transcript()},
    "claude-memory": {"-work-booking/memory/tabs.md": MEMORY},
    "json": {"mem0.json": json.dumps(MEM0).encode()},
    "chatgpt": {"export.zip": packed({"conversations.json": json.dumps(CHATGPT).encode(), "user.json": b"{}"})},
    "claude-ai": {"data.zip": packed({"a/conversations.json": json.dumps(CLAUDE_AI).encode(), "a/users.json": b"[]"})},
}


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("source", SOURCES)
def test_each_source_is_recognized_previewed_and_imported_once(source: str, alice: Actor, tmp_path: Path) -> None:
    files = SOURCES[source] or claude_mem(tmp_path)
    before = rows(alice)
    preview = report_of(alice, files, "?dry_run=true")
    assert rows(alice) == before
    assert (preview["source"], preview["dry_run"]) == (source, True)
    first, second = report_of(alice, files), report_of(alice, files)
    assert first["counts"] == preview["counts"]
    assert first["messages"] == preview["messages"]
    assert sum(counts.get("created", 0) for counts in first["counts"].values()) > 0
    assert not sum(counts.get("created", 0) for counts in second["counts"].values())
    assert second["messages"] == 0
    assert second["items"] == second["done"] == first["items"]


@pytest.mark.usefixtures("store")
def test_a_report_names_what_was_made_and_what_was_not(alice: Actor) -> None:
    report = report_of(alice, SOURCES["json"] or {})
    (memory,) = report["first"]["memory"]
    assert memory["title"] == "Alice prefers tea to coffee."
    assert Caller(alice).get(f"/memories/{memory['node_id']}")["uri"] == memory["address"]
    assert sum(report["folders"].values()) == 1
    (problem,) = report["problems"]
    assert (problem["status"], problem["reason"], report["problem_count"]) == ("refused", "empty_content", 1)


@pytest.mark.usefixtures("store")
def test_a_transcript_becomes_a_session_and_its_damaged_line_is_named(alice: Actor) -> None:
    report = report_of(alice, SOURCES["transcripts"] or {})
    (made,) = report["first"]["transcript"]
    assert made["is_session"]
    assert Caller(alice).get(f"/sessions/{made['conversation_id']}")["agent"]["client"] == "claude-code"
    lines = [problem["line"] for problem in report["problems"] if problem["status"] == "damaged"]
    assert lines == [len(SAMPLE) + 1]


@pytest.mark.usefixtures("store")
def test_subagents_are_imported_wherever_their_files_are(alice: Actor) -> None:
    agent = transcript()
    files = {
        f"p/{SESSION}.jsonl": agent,
        f"p/{SESSION}/subagents/agent-a.jsonl": agent,
        f"p/{SESSION}/subagents/agent-a.meta.json": b'{"agentType": "Explore"}',
        "p/agent-b.jsonl": agent,
        "p/agent-lost.jsonl": b'{"parentUuid": null}',
    }
    report = report_of(alice, files)
    assert report["recognized"] == ["transcripts"]
    assert report["counts"]["transcript"] == {"created": 3}
    (lost,) = [one for one in report["problems"] if one["status"] == "refused"]
    assert lost["reason"] == "no_session" and "p/agent-lost.jsonl" in lost["detail"]
    with workspace(alice.workspace_id):
        assert {"a", "b"} <= set(Observation.objects.values_list("agent_id", flat=True))


@pytest.mark.usefixtures("store")
def test_loose_files_are_read_as_those_in_a_folder(alice: Actor) -> None:
    report = report_of(alice, {"tabs.md": MEMORY, "MEMORY.md": b"- [Tabs](tabs.md)\n\nAlice works in Rome."})
    assert report["counts"] == {"memory": {"created": 2}}
    with workspace(alice.workspace_id):
        assert not [row.uri for row in MemNode.objects.all() if "/-" in row.uri]


@pytest.mark.usefixtures("store")
def test_what_changed_since_an_earlier_import_is_counted(alice: Actor) -> None:
    assert report_of(alice, {"p/memory/tabs.md": MEMORY})["updated"] == 0
    assert report_of(alice, {"p/memory/tabs.md": MEMORY})["updated"] == 0
    changed = {"p/memory/tabs.md": MEMORY + b"\nUse spaces in Python files."}
    assert report_of(alice, changed, "?dry_run=true")["updated"] == 1
    assert report_of(alice, changed)["updated"] == 1


@pytest.mark.usefixtures("store")
def test_the_source_can_be_chosen_and_several_are_named(alice: Actor) -> None:
    files = {f"p/{SESSION}.jsonl": transcript(), "p/memory/tabs.md": MEMORY}
    assert set(report_of(alice, files, "?dry_run=true")["recognized"]) == {"transcripts", "claude-memory"}
    chosen = report_of(alice, files, "?dry_run=true&source=claude-memory")
    assert chosen["counts"] == {"memory": {"created": 1}}
    done = run(alice, files, "?dry_run=true&source=claude-mem")
    assert (done["state"], done["error"]["code"]) == ("failed", "unreadable_source")
    assert "claude-mem.db" in done["error"]["detail"]


BAD: dict[str, tuple[Files, str]] = {
    "no database": ({"claude-mem.db": b"SQLite format 3\x00 and nothing else" * 10}, "unreadable_source"),
    "no archive": (
        {"export.zip": packed({"conversations.json": b"[]"})[:-30] + b"PK\x05\x06" + bytes(18)},
        "unknown_source",
    ),
    "no JSON": ({"conversations.json": b'{"mapping": {'}, "unreadable_source"),
    "another ending than the reader's": ({"notes.markdown": MEMORY}, "unknown_source"),
    "a picture": ({"photo.png": b"\x89PNG"}, "unknown_source"),
    "a bomb": ({"bomb.zip": packed({"conversations.json": b" " * 40_000_000})}, "suspicious_archive"),
}


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("name", BAD)
def test_bad_files_fail_with_a_reason_and_store_nothing(name: str, alice: Actor) -> None:
    files, code = BAD[name]
    before = rows(alice)
    done = run(alice, files)
    assert (done["state"], done["error"]["code"]) == ("failed", code), done["error"]
    assert "file-imports" not in done["error"]["detail"]
    assert rows(alice) == before


@pytest.mark.usefixtures("store")
def test_an_archive_that_states_a_small_size_unpacks_no_further_than_the_limit(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.transfer.files.archives.MOST_UNPACKED", 100_000)
    noise = json.dumps([number * 7919 % 10_007 for number in range(40_000)]).encode()
    done = run(alice, {"export.zip": packed({"conversations.json": noise})})
    assert done["error"]["code"] == "too_large_unpacked"
    assert "continuity import" in done["error"]["detail"]


@pytest.mark.usefixtures("store")
def test_paths_in_uploads_and_archives_lead_nowhere_else(alice: Actor, tmp_path: Path) -> None:
    chats = json.dumps(CHATGPT).encode()
    outside = f"{'../' * 12}{tmp_path}/conversations.json"
    assert report_of(alice, {"x.zip": packed({outside: chats, "/conversations.json": chats})})["counts"]
    assert report_of(alice, {f"{'../' * 12}{tmp_path}/conversations.json": chats})["counts"]
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("store")
def test_paths_that_no_disk_can_hold_are_changed(alice: Actor) -> None:
    files = {"a.md": MEMORY, "a.md/b.md": b"Alice works in Rome.", "\ud800/c.MD": b"Alice prefers tea."}
    assert report_of(alice, files)["counts"] == {"memory": {"created": 3}}


def test_the_page_has_words_for_every_kind_of_item(alice: Actor) -> None:
    texts = Path("frontend/src/texts/import-files.ts").read_text().partition("const KINDS")[2].partition("};")[0]
    assert set(re.findall(r"^  (\w+):", texts, re.M)) == set(KINDS) - {"skip", "problem"}
    items = [{"key": kind, "kind": kind} for kind in KINDS]
    answer = client_of(alice).post("/api/imports/json", {"import_id": str(uuid7()), "items": items}, format="json")
    assert [one["kind"] for one in answer.json()["results"]] == list(KINDS)


def test_the_page_sends_the_files_that_the_server_reads() -> None:
    page = Path("frontend/src/features/memory/import-files/picked-files.ts").read_text()
    (listed,) = re.findall(r"ENDINGS = \[(.*)\]", page)
    assert set(re.findall(r'"(.*?)"', listed)) == {*ALL_ENDINGS, ".zip"}


@pytest.mark.usefixtures("store")
def test_a_hostile_schema_runs_nothing_and_ends_in_time(
    alice: Actor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "claude-mem.db"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY, content_session_id TEXT)")
        connection.execute(
            "CREATE TABLE observations (id INTEGER PRIMARY KEY, size INT, title TEXT AS (hex(zeroblob(size))) VIRTUAL)"
        )
        connection.execute("INSERT INTO observations (size) VALUES (100000000)")
    connection.close()
    report = report_of(alice, {"claude-mem.db": file.read_bytes()}, "?dry_run=true")
    assert [problem["reason"] for problem in report["problems"]] == ["damaged_table"]
    monkeypatch.setattr("apps.transfer.files.preparation.READING_S", 0.0)
    (tmp_path / "other").mkdir()
    done = run(alice, claude_mem(tmp_path / "other"))
    assert done["error"]["code"] == "reading_too_slow"


def test_what_is_too_large_or_empty_is_refused_at_once(
    store: Path, alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert send(alice, {"a.json": b""}, status=400)["code"] == "empty_file"
    monkeypatch.setattr(uploads, "LARGEST_UPLOAD", 10)
    refused = send(alice, {"a.json": b"[]" * 20}, status=413)
    assert refused["code"] == "too_large"
    assert "continuity import" in refused["detail"]
    assert send(alice, {}, status=400)["code"] == "no_file"
    assert send(alice, {"a.json": b"[]"}, status=400, details="{")["code"] == "bad_details"
    for modified in ("yesterday", "2026-13-40T10:00:00Z", "0001-01-01T00:00:00", "99999-01-01T00:00:00Z"):
        details = json.dumps([{"path": "a.json", "modified_at": modified}])
        assert send(alice, {"a.json": b"[]"}, status=400, details=details)["code"] == "bad_details"


@pytest.mark.slow("every line of a file is a slice")
@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("source", ["json", "transcripts", "claude-mem"])
def test_an_import_in_many_slices_imports_the_same(
    source: str, alice: Actor, bob: Actor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memories = {"results": [{"id": str(number), "memory": f"Fact number {number} of Alice."} for number in range(110)]}
    files = {
        "json": {"mem0.json": json.dumps(memories).encode()},
        "transcripts": {f"p/{name}.jsonl": transcript() for name in ("s1", "s2", "s3")},
        "claude-mem": claude_mem(tmp_path),
    }[source]
    whole = report_of(bob, files)
    monkeypatch.setattr(file_job, "SLICE_S", 0.0)
    monkeypatch.setattr("continuity_client.imports.batching.MOST_ITEMS", 7)
    sliced = report_of(alice, files)
    assert sliced["done"] == sliced["items"] == whole["items"]
    assert (sliced["counts"], sliced["messages"]) == (whole["counts"], whole["messages"])


@pytest.mark.usefixtures("store")
def test_items_that_grow_beyond_the_limit_end_the_import(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.transfer.files.preparation.MOST_WRITTEN", 100)
    done = run(alice, SOURCES["json"] or {})
    assert done["error"]["code"] == "too_large_unpacked"


@pytest.mark.usefixtures("store")
def test_nobody_sees_another_workspaces_import(alice: Actor, charlie: Actor) -> None:
    operation = send(alice, SOURCES["chatgpt"] or {})
    run_due_jobs()
    Caller(charlie).get(f"/operations/{operation['id']}", 404)
    assert not rows(charlie)["Conversation"]


@pytest.mark.usefixtures("store")
def test_three_imports_of_a_person_run_at_once_and_a_reader_starts_none(alice: Actor) -> None:
    viewer = viewer_of(Workspace.objects.get(pk=alice.workspace_id))
    assert send(viewer, SOURCES["json"] or {}, status=403)["code"] == "forbidden"
    for _ in range(3):
        send(alice, SOURCES["json"] or {})
    assert send(alice, SOURCES["json"] or {}, status=409)["code"] == "imports_running"
    run_due_jobs()


@pytest.mark.usefixtures("store")
def test_imports_whose_files_arrive_at_the_same_time_count_too(alice: Actor) -> None:
    def others() -> Iterator[bytes]:
        for _ in range(3):
            send(alice, SOURCES["json"] or {})
        yield b"[]"

    request = FileImportRequest(None, uuid7(), dry_run=False)
    with pytest.raises(Conflict) as refused:
        file_import_start(alice, request=request, files=[SentFile("a.json", others())])
    assert refused.value.code == "imports_running"
    run_due_jobs()


def test_files_of_an_upload_that_was_interrupted_are_removed_by_schedule(
    store: Path, alice: Actor, settings: Settings
) -> None:
    for name in ("old", "new"):
        (store / name).mkdir(parents=True)
    os.utime(store / "old", (0, 0))
    assert schedule_tick(kind="file_import_prune", period_seconds=settings.SCHEDULES["file_import_prune"])
    run_due_jobs()
    assert [one.name for one in store.iterdir()] == ["new"]
    (store / "new").rmdir()
