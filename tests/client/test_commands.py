"""The commands for people: readable, JSON where it is requested, and a sentence with the next step for every error."""

from __future__ import annotations

import json
import os
import pty
import shutil
import socket
import subprocess
import sys
from typing import Any

import pytest

from continuity_client.home import read_settings
from tests.client.events import PROMPT, spool_only, tool
from tests.client.fake_server import KEY, SERVER_ID, FakeServer
from tests.client.machine import Machine, eventually

HIT = {
    "kind": "memory",
    "uri": "mem://user/preferences/tabs",
    "abstract": "Alice prefers tabs\x1b[31m.",
    "snippet": "",
    "occurred_at": "2026-11-20T10:00:00Z",
    "score": 0.8,
    "trust": "direct_user",
    "valid_to": None,
    "replaced_by": "",
}
ME = {
    "user": {"id": "0199-a", "email": "alice@example.org"},
    "workspace": {"id": "0199-w", "name": "Acme"},
}
COMMANDS = [
    ["search", "x"],
    ["find", "x"],
    ["profile"],
    ["tree"],
    ["read", "mem://user"],
    ["remember", "x"],
    ["inbox"],
    ["inbox", "approve", "0199"],
    ["sessions"],
    ["sessions", "s-1"],
    ["import", "--from", "json", "file.json"],
]


def page(*items: Any) -> tuple[int, Any]:
    return 200, {"data": list(items), "next_cursor": None, "has_more": False}


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_without_a_server_every_command_says_what_to_do(machine: Machine, arguments: list[str]) -> None:
    done = machine.run(*arguments)

    assert done.returncode == 1
    assert b"continuity login" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", COMMANDS[:-1], ids=" ".join)
def test_a_server_that_is_down_is_named(machine: Machine, arguments: list[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
    machine.pair(url)

    done = machine.run(*arguments, "--json")

    assert done.returncode == 1
    assert json.loads(done.stderr)["error"].startswith(f"{url} does not answer")


@pytest.mark.parametrize("status", [401, 404, 500])
def test_an_error_of_the_server_is_shown_with_its_details(paired: Machine, server: FakeServer, status: int) -> None:
    errors = [{"pointer": "/q", "detail": "Too short."}]
    server.routes["GET /api/search"] = lambda *_: (
        status,
        {"detail": "It did not work.", "code": "x", "errors": errors},
    )

    done = paired.run("find", "tabs")

    assert done.returncode == 1
    assert "It did not work." in done.stderr.decode()
    assert (f"status {status}" in done.stderr.decode()) == (status >= 500)
    assert "/q: Too short." in done.stderr.decode()


def test_results_are_shown_without_the_control_characters_of_others(paired: Machine, server: FakeServer) -> None:
    server.routes["GET /api/search"] = lambda *_: (200, {"hits": [HIT]})

    text = paired.run("find", "tabs").stdout.decode()

    assert "mem://user/preferences/tabs" in text and "Alice prefers tabs" in text and "2026-11-20" in text
    assert "\x1b" not in text
    assert paired.said("search", "tabs") == {"hits": [HIT]}


def test_messages_and_user_memory_are_shown_with_their_place(paired: Machine, server: FakeServer) -> None:
    message = {**HIT, "uri": "", "abstract": "", "snippet": "Done.", "conversation_title": "T" * 70, "index": 3}
    item = {**HIT, "uri": "", "abstract": "", "snippet": "Tabs.", "type": "preference", "key": "indentation"}
    server.routes["GET /api/search"] = lambda *_: (200, {"hits": [message, item]})

    text = paired.run("find", "tabs").stdout.decode()

    assert "T" * 59 + "…, message 3" in text
    assert "user memory, preference: indentation" in text


def test_a_search_sends_what_was_requested(paired: Machine, server: FakeServer) -> None:
    server.routes["GET /api/search"] = lambda *_: (200, {"hits": [], "abstained": "nothing_relevant"})

    done = paired.run("search", "which", "database", "-n", "3", "--category", "events", "--messages")

    (query,) = (body for method, path, _, body in server.requests if path.startswith("/api/search"))
    assert query == {"mode": "search", "q": "which database", "top_k": "3", "category": "events", "corpus": "all"}
    assert b"Nothing relevant" in done.stdout


def test_colors_are_for_terminals_alone(paired: Machine, server: FakeServer) -> None:
    server.routes["GET /api/search"] = lambda *_: (200, {"hits": [HIT]})

    assert "\x1b[" in _on_a_terminal(paired, "find", "tabs")
    assert "\x1b[" not in _on_a_terminal(paired, "find", "tabs", NO_COLOR="1")


def _on_a_terminal(machine: Machine, *arguments: str, stderr: bool = False, **variables: str) -> str:
    ours, theirs = pty.openpty()
    environment = {**machine.environment, "TERM": "xterm", **variables}
    command = [sys.executable, "-m", "continuity_client", *arguments]
    errors = theirs if stderr else None
    subprocess.run(command, stdout=theirs, stdin=theirs, stderr=errors, env=environment, check=True, timeout=30)
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 4096):
            shown += part
    except OSError:
        pass
    os.close(ours)
    return shown.decode()


def test_a_memory_is_stored_in_a_category_that_fits(paired: Machine, server: FakeServer) -> None:
    bodies: list[Any] = []
    server.routes["POST /api/memories"] = lambda body, _: (bodies.append(body), (201, {"uri": "mem://x"}))[1]

    paired.run("remember", "I always use tabs.")
    paired.run("remember", "-", "--category", "patterns", "--name", "Retry", given=b"Retry with a pause.\n")
    paired.run("remember", "Text", "--at", "mem://user/profile/name", "--tag", "a", "--tag", "b")

    assert [
        (body.get("category"), body.get("name"), body.get("uri"), body["content"], body["tags"]) for body in bodies
    ] == [
        ("preferences", "I always use tabs.", None, "I always use tabs.", []),
        ("patterns", "Retry", None, "Retry with a pause.", []),
        (None, None, "mem://user/profile/name", "Text", ["a", "b"]),
    ]
    assert paired.run("remember", "-", given=b" ").returncode == 1
    assert paired.run("remember", "x", "--at", "mem://user/x", "--name", "y").returncode == 1
    assert b"--name" in paired.run("remember", "x", "--category", "entities").stderr


def test_a_memory_that_exists_is_named_and_stored_again_on_request(paired: Machine, server: FakeServer) -> None:
    flag = "allow_duplicate"
    server.routes["POST /api/memories"] = lambda body, _: (201, {"uri": "mem://x", "existing": flag not in body})
    assert b"Already remembered at mem://x." in paired.run("remember", "I always use tabs.").stdout
    assert b"Remembered at mem://x." in paired.run("remember", "I always use tabs.", "--allow-duplicate").stdout


def test_the_tree_is_shown_over_all_pages(paired: Machine, server: FakeServer) -> None:
    def tree(body: dict[str, Any], _: Any) -> tuple[int, Any]:
        assert body["uri"] == "mem://user/profile" and body["depth"] == "2"
        kind = "leaf" if body.get("cursor") else "dir"
        line = {"name": f"a {kind}", "node_type": kind, "depth": 1, "child_count": 2, "abstract": "Text"}
        return 200, {"data": [line], "next_cursor": None if body.get("cursor") else "next", "has_more": False}

    server.routes["GET /api/tree"] = tree

    shown = paired.run("tree", "user/profile", "-d", "2").stdout.decode()

    assert shown.splitlines() == ["a dir/ 2", "a leaf  Text"]


def test_the_inbox_is_decided_by_the_beginning_of_an_id(paired: Machine, server: FakeServer) -> None:
    memory = {"uri": "mem://user/x", "content": "Maybe.", "abstract": "Maybe."}
    items = [{"id": f"0199{end:032d}", "memory": memory, "reason": "review", "replaces": []} for end in (1, 2)]
    items = [{**item, "id": f"{item['id'][:8]}-{item['id'][8:35]}"} for item in items]
    server.routes["GET /api/inbox"] = lambda *_: page(*items)
    decided: list[Any] = []
    server.routes["POST /api/inbox/decisions"] = lambda body, _: (
        decided.append(body),
        (200, {"ids": body["ids"], "skipped": [], "waiting": 1, "change_id": None}),
    )[1]

    assert b"Maybe." in paired.run("inbox").stdout
    assert b"2 items have an id" in paired.run("inbox", "approve", "0199").stderr
    assert b"Nothing that waits" in paired.run("inbox", "decline", "ffff").stderr
    assert paired.run("inbox", "approve").returncode == 1
    assert b"1 approved, 1 still wait" in paired.run("inbox", "approve", items[1]["id"]).stdout
    assert decided == [{"decision": "approve", "ids": [items[1]["id"]]}]


def test_sessions_are_listed_with_their_agent(paired: Machine, server: FakeServer) -> None:
    archive = {"abstract": "Fixed the test.", "overview": "All of it."}
    agent = {"client": "codex", "project": "app", "end_reason": "inactive"}
    session = {"id": "1", "external_id": "s-1", "title": "Tests", "active_at": "2026-11-20T10:00:00Z"}
    session = {**session, "message_count": 3, "archive": archive, "agent": agent, "memories": []}
    server.routes["GET /api/sessions"] = lambda *_: page(session)
    server.routes["GET /api/sessions/s-1"] = lambda *_: (200, session)

    listed = paired.run("sessions").stdout.decode()

    assert "codex · app · inactive" in listed and "Fixed the test." in listed and "s-1" in listed
    assert "All of it." in paired.run("sessions", "s-1").stdout.decode()


def test_pairing_shows_a_code_and_waits_for_a_person(machine: Machine, server: FakeServer) -> None:
    polls: list[Any] = []
    made = {"device_code": "d", "user_code": "ABCD-EFGH", "verification_url": "/pair?code=ABCD-EFGH", "expires_in": 600}
    requested: list[Any] = []
    server.routes["POST /api/pairings"] = lambda body, _: (
        requested.append(body),
        (201, {**made, "interval": 0.05, "server_id": SERVER_ID}),
    )[1]
    approved = {"status": "approved", "api_key": KEY, "key_id": "k", "server_id": SERVER_ID, **ME}

    def token(body: Any, _: Any) -> tuple[int, Any]:
        polls.append(body)
        return (202, {"status": "pending"}) if len(polls) < 3 else (200, approved)

    server.routes["POST /api/pairings/token"] = token

    done = machine.run("login", server.url, "--client", "codex", "--name", "laptop", "--no-browser")

    assert done.returncode == 0, done.stderr
    assert f"{server.url}/pair?code=ABCD-EFGH" in done.stdout.decode() and "ABCD-EFGH" in done.stdout.decode()
    assert "alice@example.org in Acme" in done.stdout.decode()
    assert polls == [{"device_code": "d"}] * 3
    assert requested == [{"client": "codex", "name": "laptop", "version": "0.2.0"}]
    file = machine.home / "client.json"
    stored = json.loads(file.read_text())
    assert (stored["api_key"], stored["user_id"], stored["workspace_id"]) == (KEY, "0199-a", "0199-w")
    assert file.stat().st_mode & 0o777 == 0o600
    assert KEY not in done.stdout.decode()


def test_a_pairing_that_was_denied_changes_nothing(machine: Machine, server: FakeServer) -> None:
    made = {"device_code": "d", "user_code": "A", "verification_url": "/pair", "expires_in": 600, "interval": 0.05}
    server.routes["POST /api/pairings"] = lambda *_: (201, {**made, "server_id": SERVER_ID})
    server.routes["POST /api/pairings/token"] = lambda *_: (410, {"detail": "It was denied.", "code": "pairing_denied"})

    done = machine.run("login", server.url)

    assert done.returncode == 1
    assert b"It was denied." in done.stderr
    assert not (machine.home / "client.json").exists()


def test_pairing_with_a_key_checks_it(machine: Machine, server: FakeServer) -> None:
    server.routes["GET /api/me"] = lambda _, headers: (
        (200, ME) if KEY in headers.get("authorization", "") else (401, {"detail": "No."})
    )

    assert machine.run("login", server.url, "--key", "ctk_wrong").returncode == 1
    assert machine.said("login", server.url, "--key", KEY)["user"] == "alice@example.org"
    assert json.loads((machine.home / "client.json").read_text())["server_id"] == SERVER_ID


def test_pairing_ends_the_pause_of_senders(paired: Machine, server: FakeServer) -> None:
    server.routes["GET /api/me"] = lambda *_: (200, ME)
    paired.pair(server.url, user="alice@example.org", workspace="Acme")
    spool_only(paired, PROMPT)
    assert (paired.home / "retry-at").exists()

    paired.run("login", server.url, "--key", KEY)
    paired.hook("tool", tool(1))

    assert eventually(lambda: len(server.events) == 2)


@pytest.mark.parametrize("url", ["ftp://x", "nonsense", "http://"])
def test_an_address_that_is_none_is_refused(machine: Machine, url: str) -> None:
    done = machine.run("login", url)

    assert done.returncode == 1
    assert b"is not a web address" in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_every_command(machine: Machine, shell: str) -> None:
    script = machine.run("completion", shell).stdout.decode()

    assert all(command in script for command in ("search", "doctor", "install", "completion", "gemini-cli"))
    if program := shutil.which(shell):
        subprocess.run([program, "-n"], input=script, text=True, check=True)


def test_bash_completes_a_command(machine: Machine) -> None:
    script = machine.run("completion", "bash").stdout.decode()
    script += '\nCOMP_WORDS=(continuity ins); COMP_CWORD=1; _continuity; echo "${COMPREPLY[@]}"'
    script += '\nCOMP_WORDS=(continuity install --cl); COMP_CWORD=2; _continuity; echo "${COMPREPLY[@]}"'

    bash = shutil.which("bash")
    assert bash
    done = subprocess.run([bash], input=script, text=True, capture_output=True, check=True)

    assert done.stdout.splitlines() == ["install", "--client"]


def test_an_unexpected_failure_is_a_sentence_and_the_log_has_the_rest(paired: Machine, server: FakeServer) -> None:
    server.routes["GET /api/search"] = lambda *_: (200, {"hits": [{}]})

    done = paired.run("find", "tabs")

    assert done.returncode == 1
    assert b"Traceback" not in done.stderr and b"client.log" in done.stderr
    assert "KeyError" in paired.log


def test_hook_explains_itself_to_a_person(machine: Machine) -> None:
    assert machine.run("hook", "--help").returncode == 0
    assert machine.said("version") == {"version": "0.2.0"}


@pytest.mark.parametrize("arguments", [["foo"], ["stop", "--client", "nobody"], ["--what"], ["foo", "--help"]])
def test_a_hook_on_a_terminal_ends_with_0_whatever_its_words(machine: Machine, arguments: list[str]) -> None:
    assert "EVENT" in _on_a_terminal(machine, "hook", *arguments, stderr=True) or "--help" in arguments


def test_settings_without_a_key_are_no_settings(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.pair("http://127.0.0.1:1")
    (machine.home / "client.json").write_text('{"url": "http://127.0.0.1:1"}')
    monkeypatch.setenv("CONTINUITY_HOME", str(machine.home))

    assert read_settings() is None


def test_an_export_is_a_file_that_replaces_none(paired: Machine, server: FakeServer) -> None:
    item = {"kind": "memory", "key": "k1", "content": "Alice likes tea."}
    server.routes["GET /api/export"] = lambda body, headers: (200, item)
    file = paired.folder / "continuity-export.jsonl"
    assert paired.said("export")["path"] == "continuity-export.jsonl"
    assert json.loads(file.read_text()) == item and file.stat().st_mode & 0o777 == 0o600
    again = paired.run("export")
    assert again.returncode == 1 and b"--force" in again.stderr
    server.mode = "error"
    assert paired.run("export", "--force").returncode == 1
    assert json.loads(file.read_text()) == item and not list(paired.folder.glob("*.part"))
