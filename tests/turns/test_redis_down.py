"""Redis fails while a turn runs: the turn continues, jobs are done, and subscribers catch up afterwards."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from websockets.sync.client import ClientConnection, connect

from apps.accounts.actors import Actor
from apps.events.redis_publisher import PAUSE_S
from config.stack.process import launch
from config.stack.redis import Redis
from tests.compaction.runs import check_invariants, runs_of
from tests.conversations.long_conversations import conversation, history, long_talk, row_of
from tests.processes import Running, Web, eventually, start_dispatcher, start_web
from tests.providers.anthropic_server import ProviderServer, running_server
from tests.providers.behaviours import DEFAULT_TEXT, Behaviour
from tests.realtime.reducer import View
from tests.turns.streams import Talker, events, told

pytestmark = pytest.mark.django_db(transaction=True)

NOWHERE = "unix:///nowhere/redis.sock"
# No debounce: jobs are due immediately.
AT_ONCE = {"CONTINUITY_POLICY": json.dumps({"compaction_debounce_s": 0})}


@pytest.fixture
def provider() -> Iterator[ProviderServer]:
    with running_server() as server:
        yield server


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Running]:
    """A private Redis server that the test may stop."""
    (tmp_path / "logs").mkdir()
    server = Redis(tmp_path, tmp_path, death_signal=signal.SIGKILL)
    program = server.program()
    running = Running(program, launch(program))
    assert eventually(server.ready)
    yield running
    running.kill9()


@pytest.fixture
def web(django_db_setup: None, provider: ProviderServer, tmp_path: Path, redis: Running) -> Iterator[Web]:
    running = web_with(Redis(tmp_path, tmp_path).url, provider)
    yield running
    running.stop()


def web_with(redis_url: str, provider: ProviderServer) -> Web:
    key = {"ANTHROPIC_API_KEY": "sk-test", "ANTHROPIC_BASE_URL": provider.url}
    return start_web(REDIS_URL=redis_url, **key, **AT_ONCE)


@contextmanager
def subscribed(web: Web, talker: Talker, talk: UUID) -> Iterator[tuple[ClientConnection, View]]:
    with connect(web.url.replace("http:", "ws:") + "/ws") as socket:
        ticket = talker.ask("POST", "/ws-ticket")[1]["ticket"]
        socket.send(json.dumps({"type": "authenticate", "ticket": ticket}))
        yield socket, View(snapshot(socket, talk))


def snapshot(socket: ClientConnection, talk: UUID) -> dict[str, Any]:
    socket.send(json.dumps({"type": "subscribe", "conversation_id": str(talk)}))
    return next(frame for frame in frames(socket) if frame["type"] == "snapshot")


def frames(socket: ClientConnection) -> Iterator[dict[str, Any]]:
    while True:
        yield json.loads(socket.recv(timeout=10))


def check_reply(actor: Actor, talk: UUID, stream: list[tuple[str, dict[str, Any]]]) -> None:
    said, reply = history(actor, talk)[-2:]
    assert stream[-1][1]["reply"]["status"] == "complete"
    assert (said.content, reply.content, reply.status) == ("Hello", DEFAULT_TEXT, "complete")
    assert told(stream) == DEFAULT_TEXT
    check_invariants(actor, talk)


def answer_again(redis: Running, end: signal.Signals) -> None:
    """Start it again and wait for the clients' back-off."""
    if end == signal.SIGSTOP:
        os.kill(redis.pid, signal.SIGCONT)
    else:
        redis.process.wait()
        redis.process = launch(redis.program)
    time.sleep(PAUSE_S)


def hear_of(socket: ClientConnection, view: View, version: int, talk: UUID) -> set[str]:
    """Receive events, and refetch after gaps, until the view has this version; return the received events."""
    names = set()
    for frame in frames(socket):
        view.apply(frame)
        names.add(frame.get("name", ""))
        if view.stale:
            view.apply(snapshot(socket, talk))
        if view.version >= version and not view.stale:
            return names
    raise AssertionError("the socket was closed")


def hears_the_end_of_a_turn(actor: Actor, talker: Talker, talk: UUID, socket: ClientConnection, view: View) -> bool:
    """Return whether the event itself arrived, and not only a snapshot after a loss."""
    check_reply(actor, talk, list(events(talker.turn(talk, "Hello"))))
    return "TurnFinished" in hear_of(socket, view, row_of(actor, talk).state_version, talk)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGSTOP], ids=["dead", "silent"])
def test_redis_goes_away_during_a_turn_and_comes_back(
    alice: Actor, web: Web, provider: ProviderServer, redis: Running, end: signal.Signals
) -> None:
    provider.script(Behaviour(piece_s=0.1))
    talk, talker = conversation(alice), Talker(web, alice)
    with subscribed(web, talker, talk) as (socket, view):
        stream = events(talker.turn(talk, "Hello"))
        heard = [next(stream), next(stream)]
        os.kill(redis.pid, end)
        check_reply(alice, talk, heard + list(stream))
        began = time.monotonic()
        check_reply(alice, talk, list(events(talker.turn(talk, "Hello"))))
        assert time.monotonic() - began < 3
        missed = row_of(alice, talk).state_version
        assert talker.ask("GET", f"/conversations/{talk}/live")[1]["version"] == missed
        answer_again(redis, end)
        hear_of(socket, view, missed, talk)
        # A busy machine may lose one more event to the publisher's short timeouts, and report it, but not permanently.
        assert any(hears_the_end_of_a_turn(alice, talker, talk, socket, view) for _ in range(3))
    live = talker.ask("GET", f"/conversations/{talk}/live")[1]
    assert view.state["messages"] == live["messages"]
    assert view.state["counts"] == live["counts"]


def test_who_listens_catches_up_when_redis_is_back(
    alice: Actor, web: Web, provider: ProviderServer, redis: Running
) -> None:
    talk, talker = conversation(alice), Talker(web, alice)
    with subscribed(web, talker, talk) as (socket, view):
        redis.kill9()
        check_reply(alice, talk, list(events(talker.turn(talk, "Hello"))))
        redis.process = launch(redis.program)
        for frame in frames(socket):
            view.apply(frame)
            if view.stale:
                break
        caught_up = View(snapshot(socket, talk))
    live = talker.ask("GET", f"/conversations/{talk}/live")[1]
    assert caught_up.state == {name: live[name] for name in caught_up.state}
    assert [(row["role"], row["status"]) for row in caught_up.state["messages"]] == [
        ("user", "complete"),
        ("assistant", "complete"),
    ]


def test_a_stack_that_never_had_a_redis_answers_and_compacts(alice: Actor, provider: ProviderServer) -> None:
    """The dispatcher runs jobs itself when it cannot reach a worker."""
    talk = long_talk(alice, messages=27)
    web = web_with(NOWHERE, provider)
    dispatcher = start_dispatcher(REDIS_URL=NOWHERE, **AT_ONCE)
    try:
        check_reply(alice, talk, list(events(Talker(web, alice).turn(talk, "Hello"))))
        assert eventually(lambda: [run.state for run in runs_of(alice, talk)] == ["succeeded"], 90)
    finally:
        dispatcher.stop()
        web.stop()
    assert row_of(alice, talk).live_tokens <= 6_800
    check_reply(alice, talk, [("delta", {"text": DEFAULT_TEXT}), ("finished", {"reply": {"status": "complete"}})])
