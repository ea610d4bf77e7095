"""Hooks: every event is spooled and delivered, and no hook fails, whatever server, disk and input do."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.client.conftest import senders
from tests.client.events import PROMPT, START, pause, spool_only, tool
from tests.client.fake_server import FakeServer
from tests.client.machine import Machine, eventually

SILENT = ("submit", "tool", "stop", "end", "precompact", "postcompact", "subagent", "notification", "event")
GARBAGE = (b"", b"{", b"[]", b"nul\x00l", b"\xff\xfe\x00", b'"text"', b"[" * 100_000, b'{"a": NaN', b"12")


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    folder.chmod(0o500)
    try:
        yield
    finally:
        folder.chmod(0o700)


def test_an_event_arrives_with_its_id_and_time(paired: Machine, server: FakeServer) -> None:
    assert paired.hook("submit", PROMPT) == b""

    assert eventually(lambda: server.events)
    (event,) = server.events
    assert event["payload"] == PROMPT
    assert len(event["id"]) == 36 and datetime.fromisoformat(event["recorded_at"]).tzinfo
    assert server.paths() == ["/api/hooks/claude-code/batch"]
    assert eventually(lambda: not paired.spooled)


def test_an_event_has_the_local_time_with_its_offset(paired: Machine, server: FakeServer) -> None:
    replace(paired, time_zone="Asia/Kathmandu").hook("submit", PROMPT)

    assert eventually(lambda: server.events)
    recorded_at = datetime.fromisoformat(server.events[0]["recorded_at"])
    assert recorded_at.utcoffset() == timedelta(hours=5, minutes=45)
    assert abs(datetime.now(UTC) - recorded_at) < timedelta(minutes=5)


@pytest.mark.parametrize("event", SILENT)
def test_a_hook_prints_nothing(paired: Machine, server: FakeServer, event: str) -> None:
    assert paired.hook(event, {"session_id": "s-1"}) == b""
    assert eventually(lambda: server.events)


def test_an_event_without_a_name_gets_that_of_its_dialect(paired: Machine, server: FakeServer) -> None:
    paired.hook("submit", {"session_id": "s-1", "prompt": "Hello"}, client="gemini-cli")

    assert eventually(lambda: server.payloads)
    assert server.payloads == [{"session_id": "s-1", "prompt": "Hello", "hook_event_name": "BeforeAgent"}]
    assert server.paths() == ["/api/hooks/gemini-cli/batch"]


def test_an_event_of_vs_code_that_runs_the_hooks_of_claude_code_is_reported_as_its_own(
    paired: Machine, server: FakeServer
) -> None:
    paired.hook("submit", {"sessionId": "s-1", "hookEventName": "UserPromptSubmit", "prompt": "Hello"})

    assert eventually(lambda: server.events)
    assert server.paths() == ["/api/hooks/vscode/batch"]


@pytest.mark.parametrize("given", GARBAGE)
@pytest.mark.parametrize("event", ["start", "submit", "tool", "stop", "event"])
def test_garbage_on_standard_input_is_dropped(paired: Machine, given: bytes, event: str) -> None:
    done = paired.run("hook", event, given=given)

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert paired.spooled == []
    assert f"hook {event}" in paired.log
    assert not (paired.home / "lost").exists()


@pytest.mark.parametrize(
    ("given", "prompt"),
    [
        (b'{"session_id": "s-1", "prompt": "Gr\xfc\xdfe an Zo\xc3\xab"}', "Gr\ufffd\ufffde an Zoë"),
        (b'{"session_id": "s-1", "prompt": "cut \xf0\x9f\x98"}', "cut \ufffd"),
    ],
)
def test_a_byte_that_is_no_text_costs_one_character(
    paired: Machine, server: FakeServer, given: bytes, prompt: str
) -> None:
    assert paired.hook("submit", given) == b""

    assert eventually(lambda: server.payloads)
    assert server.payloads[0]["prompt"] == prompt
    assert "standard input is not valid UTF-8" in paired.log


def test_numbers_that_json_lacks_become_nothing(paired: Machine, server: FakeServer) -> None:
    paired.hook("tool", b'{"session_id": "s-1", "hook_event_name": "PostToolUse", "a": NaN, "b": [-Infinity, 1]}')

    assert eventually(lambda: server.payloads)
    assert server.payloads[0]["a"] is None and server.payloads[0]["b"] == [None, 1]


def test_unknown_events_clients_and_options_are_harmless(paired: Machine, server: FakeServer) -> None:
    for arguments in (("invent",), ("submit", "--client", "nobody"), ("--what", "tool"), ()):
        done = paired.run("hook", *arguments, given=PROMPT)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert eventually(lambda: len(server.events) == 4)


def test_without_a_paired_server_a_hook_does_nothing(machine: Machine) -> None:
    for event in ("start", *SILENT):
        assert machine.hook(event, PROMPT) == b""
    assert not machine.home.exists()


def test_damaged_settings_are_no_pairing(paired: Machine) -> None:
    (paired.home / "client.json").write_text("{")

    assert paired.hook("start", START) == b""
    assert paired.spooled == []


def test_a_hanging_server_delays_no_hook(paired: Machine, server: FakeServer) -> None:
    server.mode = "hanging"

    for event in ("submit", "tool", "stop", "end"):
        begin = time.monotonic()
        paired.hook(event, tool(1))
        assert time.monotonic() - begin < 2
    assert len(paired.spooled) == 4
    assert len(senders(paired.folder)) == 1


def test_start_waits_no_longer_than_its_deadline(paired: Machine, server: FakeServer) -> None:
    server.mode = "hanging"

    begin = time.monotonic()
    assert paired.hook("start", START) == b""

    assert 4 < time.monotonic() - begin < 6
    assert len(paired.spooled) == 1


def test_start_prints_what_the_server_knows(paired: Machine, server: FakeServer) -> None:
    printed = json.loads(paired.hook("start", START))

    specific = {"hookEventName": "SessionStart", "additionalContext": "Alice prefers short answers."}
    assert printed == {"hookSpecificOutput": specific}
    assert paired.spooled == []
    assert [event["payload"] for event in server.events] == [START]


def test_start_prints_nothing_if_nothing_is_known(paired: Machine, server: FakeServer) -> None:
    server.context = ""
    assert paired.hook("start", START) == b""


@pytest.mark.parametrize("mode", ["error", "refusing", "unready"])
def test_start_prints_nothing_if_the_server_fails(paired: Machine, server: FakeServer, mode: str) -> None:
    server.mode = mode
    if mode == "unready":
        server.server_id = None
    assert paired.hook("start", START) == b""


@pytest.mark.parametrize("letter", ["a", "я", "記", "🙂", "\n", '"', "\\"])
def test_what_is_printed_has_at_most_9500_bytes_and_ends_with_a_character(
    paired: Machine, server: FakeServer, letter: str
) -> None:
    server.context = letter * 9_500

    printed = paired.hook("start", START)

    assert 9_400 < len(printed) <= 9_500
    assert set(json.loads(printed)["hookSpecificOutput"]["additionalContext"]) == {letter}


@pytest.mark.parametrize("line", ["A fact.", 'A "fact" in \\ quotes', "記憶", "no line ends " * 900])
def test_a_long_memory_keeps_its_closing_tag(paired: Machine, server: FakeServer, line: str) -> None:
    facts = "\n".join([line] * (9_600 // len(line.encode()) + 1))
    server.context = f"<continuity-memory>\n{facts}\n</continuity-memory>"

    printed = paired.hook("start", START)

    text = json.loads(printed)["hookSpecificOutput"]["additionalContext"]
    assert 9_000 < len(printed) <= 9_500
    assert text.startswith("<continuity-memory>\n") and text.endswith("\n</continuity-memory>")


def test_a_prompt_gets_memories_only_if_that_is_switched_on(machine: Machine, server: FakeServer) -> None:
    machine.pair(server.url)
    assert machine.hook("submit", PROMPT) == b""
    machine.pair(server.url, recall_on_submit=True)

    specific = json.loads(machine.hook("submit", PROMPT))["hookSpecificOutput"]

    assert specific == {"hookEventName": "UserPromptSubmit", "additionalContext": server.context}
    assert "/api/hooks/claude-code?recall=true" in server.paths()


def test_recall_waits_no_longer_than_two_seconds(machine: Machine, server: FakeServer) -> None:
    machine.pair(server.url, recall_on_submit=True)
    server.mode = "hanging"

    begin = time.monotonic()
    assert machine.hook("submit", PROMPT) == b""

    assert time.monotonic() - begin < 3
    assert len(machine.spooled) == 1


def test_a_full_spool_keeps_the_oldest_and_counts_the_others(paired: Machine) -> None:
    spool_only(paired, tool(0))
    (first,) = paired.spooled
    for number in range(4_999):
        (first.parent / f"{number:020d}-10-x{number}.json").write_bytes(b"{}")

    paired.hook("tool", tool(1))
    paired.hook("tool", tool(2))

    assert first in paired.spooled and len(paired.spooled) == 5_000
    assert (paired.home / "spool-full").stat().st_size == 2
    assert "The spool is full" in paired.log


def test_a_spool_of_large_events_is_full_by_its_size(paired: Machine) -> None:
    spool_only(paired, tool(0))
    (paired.home / "spool" / "00000000000000000001-100000000-x.json").write_bytes(b"{}")

    paired.hook("tool", tool(1))

    assert len(paired.spooled) == 2
    assert (paired.home / "spool-full").stat().st_size == 1


def test_the_spool_is_private(paired: Machine) -> None:
    spool_only(paired, PROMPT)

    assert stat.S_IMODE((paired.home / "spool").stat().st_mode) == 0o700
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in paired.spooled)


def test_a_read_only_home_delivers_from_a_private_folder(paired: Machine, server: FakeServer) -> None:
    with read_only(paired.home):
        assert paired.hook("submit", PROMPT) == b""
        assert eventually(lambda: server.events)
        assert paired.run("flush").returncode == 0
    assert paired.spooled == []


def test_a_home_that_is_no_folder_delivers_from_a_private_folder(machine: Machine, server: FakeServer) -> None:
    machine.pair(server.url)
    (machine.home / "spool").write_text("This is in the way.")

    assert machine.hook("submit", PROMPT) == b""

    assert eventually(lambda: server.events)
    (folder,) = (machine.folder / "tmp").iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_that_others_can_enter_is_not_used(machine: Machine, server: FakeServer) -> None:
    machine.pair(server.url)
    (machine.home / "spool").write_text("This is in the way.")
    (machine.folder / "tmp" / f"continuity-{os.getuid()}").mkdir(mode=0o777)
    (machine.folder / "tmp" / f"continuity-{os.getuid()}").chmod(0o777)

    assert machine.hook("submit", PROMPT) == b""

    assert server.events == []
    assert not list((machine.folder / "tmp").glob("*/spool"))


def test_a_full_disk_is_no_failure_and_a_start_still_gets_its_answer(paired: Machine, server: FakeServer) -> None:
    (paired.home / "client.log").symlink_to("/dev/full")
    (paired.home / "spool").symlink_to("/dev/full")
    (paired.folder / "tmp").rmdir()
    (paired.folder / "tmp").symlink_to("/dev/full")

    for event in ("submit", "tool", "stop", "end"):
        assert paired.hook(event, PROMPT) == b""
    assert server.context in paired.hook("start", START).decode()


def test_a_full_spool_is_sent_as_soon_as_the_server_is_there(paired: Machine, server: FakeServer) -> None:
    spool_only(paired, tool(0))
    (paired.home / "spool" / "00000000000000000001-100000000-x.json").write_bytes(b"{}")

    assert paired.hook("start", START) != b""

    assert eventually(lambda: not paired.spooled)
    assert {payload["hook_event_name"] for payload in server.payloads} == {"SessionStart", "PostToolUse"}


def test_an_event_whose_secrets_take_too_long_is_recorded_without_its_texts(
    paired: Machine, server: FakeServer
) -> None:
    pause(paired)
    (paired.folder / "slow.py").write_text(
        """
import time
import continuity_client.hook.recording as recording
from continuity_client.hook.command import run
redacted_event = recording.redacted_event
def slow(event):
    while len(str(event)) > 5_000:
        time.sleep(0.01)
    return redacted_event(event)
recording.redacted_event = slow
run(["tool"])
"""
    )
    done = _script(paired, "slow.py", {**tool(1), "tool_response": {"stdout": "word " * 2_000}})

    assert done.returncode == 0
    payload = json.loads(paired.spooled[0].read_text())["payload"]
    assert payload == {**tool(1), "tool_response": {"stdout": "[10000 characters omitted]"}}
    assert "took too long" in paired.log


def test_an_event_that_misses_the_deadline_is_counted(paired: Machine) -> None:
    (paired.folder / "hanging.py").write_text(
        """
import time
import continuity_client.hook.command as command
command.store_event = lambda *_, **__: time.sleep(30)
command.run(["tool"])
"""
    )

    assert _script(paired, "hanging.py", tool(1)).returncode == 0

    assert (paired.home / "lost").stat().st_size == 1
    checks = json.loads(paired.run("doctor", "--json").stdout)["checks"]
    assert [check["detail"] for check in checks if check["name"] == "lost"] == [
        "1 event not stored because of an error or a deadline"
    ]


def test_an_event_longer_than_32_mb_is_counted(paired: Machine) -> None:
    paired.hook("tool", {**tool(1), "tool_response": "x" * 33_000_000})

    assert paired.spooled == []
    assert (paired.home / "lost").stat().st_size == 1


def test_deeply_nested_values_are_recorded_down_to_a_level(paired: Machine) -> None:
    pause(paired)
    paired.hook("tool", b'{"session_id": "s-1", "tool_response": ' + b"[" * 900 + b"]" * 900 + b"}")

    assert "items omitted" in paired.spooled[0].read_text()


def _script(machine: Machine, name: str, payload: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, name],
        input=json.dumps(payload).encode(),
        env=machine.environment,
        cwd=machine.folder,
        capture_output=True,
        timeout=20,
        check=False,
    )
