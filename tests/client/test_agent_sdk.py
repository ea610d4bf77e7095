"""The session store of the Agent SDK: it meets the SDK's contracts, and reports sessions as events."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from continuity_client.agent_sdk import ContinuitySessionStore
from continuity_client.hook.detached import _STARTED
from continuity_client.transcripts_folder import TranscriptsFolder
from tests.client.agent_sdk_session import ENTRIES, EVENTS, said
from tests.client.fake_server import FakeServer
from tests.client.machine import Machine, eventually

KEY = {"project_key": "proj", "session_id": "sess"}
SUB = {**KEY, "subpath": "subagents/agent-1"}
OTHER = {**KEY, "subpath": "subagents/agent-2"}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ContinuitySessionStore:
    monkeypatch.setenv("CONTINUITY_HOME", str(tmp_path / "unpaired"))
    return ContinuitySessionStore(str(tmp_path / "transcripts"))


@pytest.fixture
def mirrored(paired: Machine, monkeypatch: pytest.MonkeyPatch) -> Iterator[ContinuitySessionStore]:
    for name, value in paired.environment.items():
        monkeypatch.setenv(name, value)
    yield ContinuitySessionStore(cwd="/work/app")
    for process in _STARTED:
        process.kill()
        process.wait()


def entry(uuid: str, **values: Any) -> dict[str, Any]:
    return {"type": "x", "uuid": uuid, **values}


def run(store: ContinuitySessionStore, method: str, *arguments: Any) -> Any:
    return asyncio.run(getattr(store, method)(*arguments))


def test_entries_are_loaded_in_the_order_of_their_calls(store: ContinuitySessionStore) -> None:
    assert run(store, "load", KEY) is None
    run(store, "append", KEY, [entry("z", n=1)])
    run(store, "append", KEY, [entry("a", n={"ö": [1.5, None]}), entry("m", n=3)])
    run(store, "append", KEY, [])

    assert run(store, "load", KEY) == [entry("z", n=1), entry("a", n={"ö": [1.5, None]}), entry("m", n=3)]


def test_an_entry_that_is_sent_again_is_stored_once(store: ContinuitySessionStore) -> None:
    run(store, "append", KEY, [entry("a"), entry("a"), {"type": "x"}, {"type": "x"}])
    run(store, "append", KEY, [entry("a"), entry("b")])

    assert run(store, "load", KEY) == [entry("a"), {"type": "x"}, {"type": "x"}, entry("b")]


def test_projects_and_subpaths_are_apart(store: ContinuitySessionStore) -> None:
    run(store, "append", KEY, [entry("main")])
    run(store, "append", SUB, [entry("sub")])
    run(store, "append", {**KEY, "project_key": "../other"}, [entry("other")])

    assert run(store, "load", SUB) == [entry("sub")]
    assert run(store, "load", {**KEY, "subpath": "main"}) is None
    assert run(store, "list_subkeys", KEY) == ["subagents/agent-1"]
    sessions = run(store, "list_sessions", "proj")
    assert [session["session_id"] for session in sessions] == ["sess"]
    assert sessions[0]["mtime"] > 1e12
    assert run(store, "list_sessions", "../other")[0]["session_id"] == "sess"
    assert run(store, "list_sessions", "never") == []


def test_deleting_the_main_transcript_deletes_its_subpaths(store: ContinuitySessionStore) -> None:
    for key in (KEY, SUB, OTHER, {**KEY, "session_id": "sess2"}):
        run(store, "append", key, [entry("a")])
    run(store, "delete", SUB)
    assert run(store, "list_subkeys", KEY) == ["subagents/agent-2"]

    run(store, "delete", KEY)
    run(store, "delete", {**KEY, "session_id": "never"})

    assert run(store, "load", KEY) is None and run(store, "load", OTHER) is None
    assert run(store, "load", {**KEY, "session_id": "sess2"}) == [entry("a")]


def test_a_line_that_a_crash_cut_harms_no_other(store: ContinuitySessionStore, tmp_path: Path) -> None:
    run(store, "append", KEY, [entry("a")])
    (file,) = (tmp_path / "transcripts").rglob("*.jsonl")
    file.write_bytes(file.read_bytes() + '{"type": "x", "uuid": "ö'.encode()[:-1])
    assert run(store, "load", KEY) == [entry("a")]

    run(store, "append", KEY, [entry("b")])
    assert run(store, "load", KEY) == [entry("a"), entry("b")]
    file.write_bytes(file.read_bytes()[:-1])
    run(store, "append", KEY, [entry("c")])
    assert run(store, "load", KEY) == [entry("a"), entry("b"), entry("c")]


def test_a_session_arrives_at_the_server_as_events(mirrored: ContinuitySessionStore, server: FakeServer) -> None:
    for one in (ENTRIES, ENTRIES):
        run(mirrored, "append", KEY, one)
    run(mirrored, "append", SUB, [said("user", "s1", "A task of a subagent")])

    assert eventually(lambda: len(server.events) == len(EVENTS))
    assert server.payloads == EVENTS


def test_an_application_with_threads_starts_no_fork(
    mirrored: ContinuitySessionStore, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    forks: list[int] = []
    monkeypatch.setattr("continuity_client.hook.detached._fork", lambda *_: forks.append(1))
    blocker = threading.Event()
    threading.Thread(target=blocker.wait, daemon=True).start()

    run(mirrored, "append", KEY, [said("user", "u1", "Hello")])

    assert eventually(lambda: len(server.events) == 2)
    assert forks == []
    blocker.set()


def test_a_transcript_is_read_once_and_again_after_another_process_changed_it(
    store: ContinuitySessionStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = ContinuitySessionStore(str(tmp_path / "transcripts"))
    loads: list[int] = []
    load = TranscriptsFolder.load
    monkeypatch.setattr(TranscriptsFolder, "load", lambda self, key: (loads.append(1), load(self, key))[1])

    for number in range(20):
        run(store, "append", KEY, [entry(f"u{number}")])
    assert loads == []
    run(other, "append", KEY, [entry("v"), entry("u3")])
    run(store, "append", KEY, [entry("v"), entry("w")])
    run(store, "delete", KEY)
    run(store, "append", KEY, [entry("v")])

    assert len(loads) == 3
    assert run(store, "load", KEY) == [entry("v")]


def test_an_event_that_cannot_be_recorded_harms_no_other(
    mirrored: ContinuitySessionStore, server: FakeServer, paired: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("continuity_client.hook.recording.LONGEST_EVENT", 500)

    run(mirrored, "append", KEY, [said("user", "u1", "Hello"), said("user", "u2" * 150, "a"), said("user", "u3", "b")])

    assert eventually(lambda: len(server.events) == 3)
    assert [payload.get("prompt_id") for payload in server.payloads] == [None, "u1", "u3"]
    assert (paired.home / "lost").stat().st_size == 1
