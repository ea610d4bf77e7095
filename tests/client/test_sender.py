"""The sender: events arrive once, in order, at the paired server alone, and nothing is lost."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.client.conftest import senders
from tests.client.events import PROMPT, START, spool_only, tool
from tests.client.fake_server import OTHER_ID, SERVER_ID, FakeServer
from tests.client.machine import Machine, eventually


def test_events_arrive_in_the_order_of_time(paired: Machine, server: FakeServer) -> None:
    spool_only(paired, *(tool(number) for number in range(5)))
    assert len(paired.spooled) == 5

    assert paired.said("flush") == {"delivered": 5, "refused": 0, "left": 0, "error": ""}
    assert [payload["tool_use_id"] for payload in server.payloads] == [f"t-{number}" for number in range(5)]


def test_many_events_are_sent_in_batches(paired: Machine, server: FakeServer) -> None:
    spool_only(paired, tool(0))
    (file,) = paired.spooled
    stamp, size, _ = file.name.split("-", 2)
    for number in range(1, 250):
        event_id = f"00000000-0000-4000-8000-{number:012d}"
        document = {**json.loads(file.read_text()), "id": event_id}
        file.with_name(f"{int(stamp) + number:020d}-{size}-{event_id}.json").write_text(json.dumps(document))

    assert paired.said("flush")["delivered"] == 250
    assert [len(body["events"]) for _, path, _, body in server.requests if path.endswith("batch")] == [100, 100, 50]


def test_events_wait_while_the_server_is_down_and_arrive_when_it_is_up(machine: Machine, server: FakeServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    machine.pair(f"http://127.0.0.1:{port}")
    for number in range(3):
        machine.hook("tool", tool(number))
    assert len(machine.spooled) == 3
    assert eventually(lambda: senders(machine.folder))

    machine.pair(server.url)

    assert eventually(lambda: len(server.events) == 3)
    assert sorted(payload["tool_use_id"] for payload in server.payloads) == ["t-0", "t-1", "t-2"]
    assert eventually(lambda: not machine.spooled)


def test_flush_waits_for_a_sender_that_runs(paired: Machine, server: FakeServer) -> None:
    server.mode = "error"
    paired.hook("tool", tool(1))
    assert eventually(lambda: senders(paired.folder))
    server.mode = "up"

    paired.run("flush")

    assert len(server.events) == 1
    assert paired.spooled == []


@pytest.mark.parametrize("mode", ["error", "unready"])
def test_a_failing_server_gets_the_events_later(paired: Machine, server: FakeServer, mode: str) -> None:
    server.mode = mode
    server.server_id = None
    paired.hook("tool", tool(1))
    assert len(paired.spooled) == 1
    assert server.events == []
    server.mode, server.server_id = "up", SERVER_ID

    assert eventually(lambda: server.events)
    assert eventually(lambda: not paired.spooled)


def test_nothing_is_sent_to_another_server(paired: Machine, server: FakeServer) -> None:
    server.server_id = OTHER_ID

    assert paired.hook("start", START) == b""
    assert paired.hook("submit", PROMPT) == b""
    done = paired.run("flush")

    assert done.returncode == 1
    assert b"Another server answers" in done.stderr
    assert server.paths() == []
    assert all("authorization" not in headers for _, _, headers, _ in server.requests)
    assert len(paired.spooled) == 2


def test_events_for_a_server_that_was_paired_before_are_never_sent_to_the_next(
    paired: Machine, server: FakeServer
) -> None:
    spool_only(paired, PROMPT)
    server.server_id = OTHER_ID
    paired.pair(server.url, server_id=OTHER_ID)

    assert paired.said("flush")["refused"] == 1
    assert server.events == []


def test_an_event_that_the_server_refuses_is_put_aside_alone(paired: Machine, server: FakeServer) -> None:
    server.refused_words = ("file 2",)
    spool_only(paired, *(tool(number) for number in range(4)))

    assert paired.said("flush") == {"delivered": 3, "refused": 1, "left": 0, "error": ""}
    assert [payload["tool_use_id"] for payload in server.payloads] == ["t-0", "t-1", "t-3"]
    assert len(list((paired.home / "refused").iterdir())) == 1
    assert "was refused" in paired.log


def test_a_revoked_key_loses_no_event(paired: Machine, server: FakeServer) -> None:
    paired.pair(server.url, api_key="ctk_revoked")
    spool_only(paired, PROMPT)

    done = paired.run("flush")

    assert b"continuity login" in done.stderr
    assert len(paired.spooled) == 1
    paired.pair(server.url)
    assert paired.said("flush")["delivered"] == 1


def test_a_damaged_file_in_the_spool_harms_no_other(paired: Machine, server: FakeServer) -> None:
    spool_only(paired, tool(1), tool(2))
    paired.spooled[0].write_bytes(b"\x00\x00")

    assert paired.said("flush") == {"delivered": 1, "refused": 1, "left": 0, "error": ""}
    assert [payload["tool_use_id"] for payload in server.payloads] == ["t-2"]


def test_hooks_that_run_at_once_deliver_every_event_once(paired: Machine, server: FakeServer) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: paired.hook("tool", tool(number)), range(24)))

    assert eventually(lambda: len(server.events) >= 24)
    assert eventually(lambda: not paired.spooled)
    assert sorted(payload["tool_use_id"] for payload in server.payloads) == sorted(
        f"t-{number}" for number in range(24)
    )


@pytest.mark.parametrize("status", [302, 404, 405, 429])
def test_what_is_no_fault_of_an_event_leaves_it_in_the_spool(paired: Machine, server: FakeServer, status: int) -> None:
    spool_only(paired, PROMPT)
    server.routes["POST /api/hooks/claude-code/batch"] = lambda *_: (status, {"detail": "Not here."})

    assert paired.run("flush", timeout=60).returncode == 1

    assert len(paired.spooled) == 1
    assert not (paired.home / "refused").exists()


def test_no_redirect_is_followed(paired: Machine, server: FakeServer) -> None:
    other = FakeServer()
    server.redirect = f"{other.url}/api/health"
    spool_only(paired, PROMPT)

    assert paired.run("flush", timeout=60).returncode == 1

    assert other.requests == []
    other.stop()


def test_a_sender_ends_when_its_home_is_removed(paired: Machine, server: FakeServer) -> None:
    server.mode = "error"
    paired.hook("tool", tool(1))
    assert eventually(lambda: senders(paired.folder))

    shutil.rmtree(paired.home)

    assert eventually(lambda: not senders(paired.folder))
    assert not paired.home.exists()


def test_a_killed_sender_loses_nothing(paired: Machine, server: FakeServer) -> None:
    server.mode = "hanging"
    paired.hook("tool", tool(1))
    assert eventually(lambda: senders(paired.folder))
    for process in senders(paired.folder):
        os.kill(process, signal.SIGKILL)
    assert eventually(lambda: not senders(paired.folder))
    server.mode = "up"

    paired.hook("tool", tool(2))

    assert eventually(lambda: len(server.events) == 2)


def test_what_a_killed_hook_was_sending_is_adopted(paired: Machine, server: FakeServer) -> None:
    spool_only(paired, PROMPT)
    (file,) = paired.spooled
    stamp, rest = file.name.split("-", 1)
    waiting = file.with_name(f"{stamp}-{rest}".replace(".json", ".wait"))
    file.rename(waiting)
    assert paired.said("flush")["delivered"] == 0

    waiting.rename(file.with_name(f"{int(stamp) - 60 * 10**9:020d}-{rest}".replace(".json", ".wait")))

    assert paired.said("flush")["delivered"] == 1


ALICE = {"user_id": "0199-a", "user": "alice@example.org", "workspace_id": "0199-w", "workspace": "Acme"}
BOB = {"user_id": "0199-b", "user": "bob@example.org"}


@pytest.mark.parametrize(
    ("changed", "kind"),
    [(BOB, "user"), ({"workspace_id": "0199-x", "workspace": "Acme"}, "workspace"), ({**BOB, "user_id": ""}, "user")],
)
def test_events_of_another_user_or_workspace_are_refused_with_the_reason(
    machine: Machine, server: FakeServer, changed: dict[str, str], kind: str
) -> None:
    machine.pair(server.url, **ALICE)
    spool_only(machine, PROMPT)
    machine.pair(server.url, **{**ALICE, **changed})

    assert machine.said("flush") == {"delivered": 0, "refused": 1, "left": 0, "error": ""}

    assert server.events == []
    checks = json.loads(machine.run("doctor", "--json").stdout)["checks"]
    (detail,) = (check["detail"] for check in checks if check["name"] == "refused")
    assert detail == f"1 event: it was recorded for another {kind}"


def test_events_are_sent_with_a_new_key_of_the_same_user(machine: Machine, server: FakeServer) -> None:
    machine.pair(server.url, **ALICE, key_id="0199-1", api_key="ctk_old")
    spool_only(machine, PROMPT)
    machine.pair(server.url, **{**ALICE, "user": "alice@new.example.org"}, key_id="0199-2")

    assert machine.said("flush")["delivered"] == 1


def test_a_sender_that_runs_uses_the_settings_that_a_new_event_was_recorded_for(
    machine: Machine, server: FakeServer
) -> None:
    machine.pair(server.url, **ALICE)
    spool_only(machine, PROMPT)

    def log_in_as_bob(body: Any, _: Any) -> tuple[int, Any]:
        if not server.events:
            machine.pair(server.url, **{**ALICE, **BOB})
            spool_only(machine, tool(1))
        server.events += body["events"]
        return 200, {"results": [{"id": event["id"], "status": "stored"} for event in body["events"]]}

    server.routes["POST /api/hooks/claude-code/batch"] = log_in_as_bob

    assert machine.said("flush") == {"delivered": 2, "refused": 0, "left": 0, "error": ""}


def test_a_refused_event_that_was_put_aside_before_harms_no_sender(paired: Machine, server: FakeServer) -> None:
    server.refused_words = ("file 1",)
    spool_only(paired, tool(1), tool(2))
    (paired.home / "refused").mkdir()
    (paired.home / "refused" / paired.spooled[0].name).write_text("half")

    assert paired.said("flush") == {"delivered": 1, "refused": 1, "left": 0, "error": ""}
    (file,) = (paired.home / "refused").iterdir()
    assert json.loads(file.read_text())["refused_because"] == "The event is not valid."
