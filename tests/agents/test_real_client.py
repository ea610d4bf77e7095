"""Whole sessions of every agent, through the real command against a running server that is killed in the middle."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from config.stack.postgres import Postgres
from config.stack.throwaway_stack import TemporaryStack, temporary_stack
from tests.agents.scripts import PROMPTS, Script, script_of
from tests.client.machine import Machine, eventually
from tests.own_servers import OWN_SERVERS
from tests.prepared import place_data

CLIENTS = ("claude-code", "codex", "gemini-cli", "cursor", "vscode", "opencode")
WRITERS = ("claude-code", "opencode")
"""One of those whose hooks the `continuity` command runs, and the one with a plugin."""
KILLED_AT = 20
TOOLS = 30
DRAINED_S, ARCHIVED_S = 60, 90
WORDS = "make test before a commit"


@pytest.fixture(scope="module")
def stack() -> Iterator[TemporaryStack]:
    """A stack with servers of its own, on a migrated database."""
    with temporary_stack({**OWN_SERVERS, "CONTINUITY_MODEL_PROVIDER": "offline"}) as one:
        place_data(Postgres(one.home.path, one.home.run))
        one.start()
        yield one


@pytest.fixture
def alice(stack: TemporaryStack, tmp_path: Path) -> Machine:
    """Alice's machine, paired with the server."""
    (tmp_path / "tmp").mkdir()
    machine = Machine(tmp_path)
    client = stack.client
    done = machine.run("login", client.base, "--key", client.api_key)
    assert done.returncode == 0, done.stderr
    return machine


def kill_web(stack: TemporaryStack) -> None:
    os.kill(stack.home.read_status()["services"]["web"][0], signal.SIGKILL)


def play(machine: Machine, script: Script, stack: TemporaryStack, killed_at: int = -1) -> None:
    """Run the hook of every event, as the agent does."""
    for place, event in enumerate(script.events):
        if place == killed_at:
            kill_web(stack)
        machine.hook("event", event, client=script.client)
    assert eventually(lambda: not machine.spooled, DRAINED_S), machine.log


def session_of(machine: Machine, client: str) -> dict[str, Any]:
    found = [one for one in machine.said("sessions") if (one["agent"] or {}).get("client") == client]
    session: dict[str, Any] = machine.said("sessions", found[0]["id"])
    return session


@pytest.mark.parametrize(
    "client", [pytest.param(client, marks=[] if client in WRITERS else pytest.mark.long) for client in CLIENTS]
)
def test_nothing_of_a_session_is_missing_although_the_server_was_killed(
    stack: TemporaryStack, alice: Machine, client: str
) -> None:
    script = script_of(client, f"killed-{client}")

    play(alice, script, stack, KILLED_AT)

    session = session_of(alice, client)
    assert (session["agent"]["prompt_count"], session["agent"]["tool_count"]) == (len(PROMPTS), TOOLS)
    assert session["message_count"] == len(PROMPTS) + 2 * TOOLS + script.replies
    assert not (alice.home / "refused").exists()
    assert eventually(lambda: any(WORDS in hit["abstract"] for hit in alice.said("find", WORDS)["hits"]), ARCHIVED_S)
    if script.ends:
        assert eventually(lambda: session_of(alice, client)["archive"], ARCHIVED_S)


def test_the_next_session_knows_what_was_said_in_the_last(stack: TemporaryStack, alice: Machine) -> None:
    play(alice, script_of("claude-code", "first"), stack)
    start = {"hook_event_name": "SessionStart", "session_id": "second", "source": "startup", "cwd": "/work/app"}

    printed = alice.hook("start", start)

    text = json.loads(printed)["hookSpecificOutput"]["additionalContext"]
    assert len(printed) <= 9_500
    assert "Decimal for prices" in text
