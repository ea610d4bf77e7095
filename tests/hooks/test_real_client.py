"""The real command and a running server: a whole session of each agent, and a server that is killed meanwhile."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.accounts.actors import Actor
from apps.accounts.services.keys import ApiKeyDraft, api_key_create
from apps.hooks.dialects.registry import CLIENTS
from tests.client.machine import Machine, eventually
from tests.hooks.agents import messages_of, observations_of, session_of, sessions_of
from tests.hooks.scripts import PROMPTS, Script, script_of, start_of
from tests.hooks.test_scripted_sessions import run_jobs_now
from tests.processes import Web, start_web

pytestmark = pytest.mark.django_db(transaction=True)
# Several hooks of an agent follow each other within milliseconds, so a few of its events are sent as one batch.
_TOOLS = 30


@pytest.fixture
def web(django_db_setup: None) -> Iterator[Web]:
    running = start_web()
    yield running
    running.stop()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    (tmp_path / "tmp").mkdir()
    return Machine(tmp_path)


@pytest.fixture
def key(alice: Actor) -> str:
    return api_key_create(alice, draft=ApiKeyDraft("laptop", frozenset({"read", "write"}))).secret


def pair(machine: Machine, web: Web, key: str) -> None:
    machine.pair(web.url, server_id=identity_of(web), api_key=key)


def identity_of(web: Web) -> str:
    """The server's id, which it tells although no worker runs."""
    try:
        answer = urllib.request.urlopen(f"{web.url}/api/health")  # noqa: S310  # our own address
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        return str(json.load(answer)["server_id"])


def play(machine: Machine, script: Script, events: list[dict[str, Any]]) -> list[bytes]:
    """Run a hook for each event, as the agent does, and return what they printed."""
    return [machine.hook("event", payload, client=script.client) for payload in events]


def is_delivered(machine: Machine) -> bool:
    return eventually(lambda: not machine.spooled, seconds=60)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_session_is_stored_whole_and_the_next_one_is_told_about_it(
    client: str, alice: Actor, web: Web, machine: Machine, key: str
) -> None:
    pair(machine, web, key)
    script = script_of(client)
    play(machine, script, script.events)
    assert is_delivered(machine), machine.log
    session = session_of(alice)
    assert (session.prompt_count, session.tool_count) == (len(PROMPTS), _TOOLS)
    assert sorted(one.content for one in messages_of(alice) if one.role == "user") == sorted(PROMPTS)
    assert sum(one.kind in ("tool", "tool_failure") for one in observations_of(alice)) == _TOOLS
    run_jobs_now()
    (printed,) = play(machine, script, [start_of(client, "session-2")])
    assert b"Porto" in printed and len(printed) <= 9_500
    assert json.loads(printed)
    assert len(sessions_of(alice)) == 2


def test_nothing_is_missing_after_the_server_was_killed_in_the_middle(
    alice: Actor, web: Web, machine: Machine, key: str
) -> None:
    pair(machine, web, key)
    script = script_of("claude-code")
    half = len(script.events) // 2
    play(machine, script, script.events[:half])
    web.kill9()
    play(machine, script, script.events[half:-1])
    assert machine.spooled
    again = start_web()
    try:
        pair(machine, again, key)
        play(machine, script, script.events[-1:])
        assert is_delivered(machine), machine.log
    finally:
        again.stop()
    session = session_of(alice)
    assert (session.prompt_count, session.tool_count, session.ended_at is not None) == (len(PROMPTS), _TOOLS, True)
    contents = [one.content for one in messages_of(alice) if one.role == "user"]
    assert contents == list(PROMPTS)
