"""Events are published after the commit, in the channel layer's format, and never delay the writer."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from channels_redis.pubsub import RedisPubSubChannelLayer
from django.db import transaction
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.ids import uuid7
from apps.common.tenancy import workspace
from apps.events.envelopes import conversation_group
from apps.events.publish import emit, publish
from apps.events.redis_publisher import PAUSE_S, redis_publisher_for
from apps.events.types import TurnProgressed
from config.stack.process import launch, stop_all, wait_until
from config.stack.redis import Redis
from tests.api.callers import at_once
from tests.conversations.long_conversations import conversation, row_of, say
from tests.people import client_of

pytestmark = pytest.mark.django_db(transaction=True)


def progress() -> TurnProgressed:
    return TurnProgressed(conversation_id=uuid7(), reply_id=uuid7(), characters=7)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    frames: list[Any] = []
    monkeypatch.setattr("apps.events.publish.publish_frame", lambda group, frame: frames.append((group, frame)))
    return frames


@pytest.fixture
def nowhere(settings: Settings, tmp_path: Path) -> Iterator[str]:
    """The address of a Redis that does not exist."""
    settings.REDIS_URL = f"unix://{tmp_path}/gone.sock"
    yield settings.REDIS_URL
    redis_publisher_for.cache_clear()


@pytest.fixture
def deaf(settings: Settings, tmp_path: Path) -> Iterator[str]:
    """The address of a server that accepts connections and never answers."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "deaf.sock"))
        server.listen(5)
        settings.REDIS_URL = f"unix://{tmp_path}/deaf.sock"
        yield settings.REDIS_URL
    redis_publisher_for.cache_clear()


def test_nothing_is_published_before_the_commit_or_after_a_rollback(told: list[Any]) -> None:
    with transaction.atomic():
        publish(progress())
        assert not told
    assert len(told) == 1
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        publish(progress())
        raise ZeroDivisionError
    assert len(told) == 1


def test_the_channel_layer_reads_published_events(redis_url: str) -> None:
    """The unmodified Channels layer reads the wire format."""
    event = progress()

    async def story() -> dict[str, Any]:
        layer = RedisPubSubChannelLayer(hosts=[{"address": redis_url, "socket_timeout": None}])
        channel = await layer.new_channel()
        await layer.group_add(conversation_group(event.conversation_id), channel)
        await asyncio.to_thread(emit, event)
        message: dict[str, Any] = await asyncio.wait_for(layer.receive(channel), 5)
        await layer.flush()
        return message

    message = asyncio.run(story())
    assert (message["type"], message["name"]) == ("live.frame", "TurnProgressed")
    assert json.loads(message["text"]) == {
        "type": "event",
        "name": "TurnProgressed",
        "conversation_id": str(event.conversation_id),
        "data": {"reply_id": str(event.reply_id), "characters": 7},
    }


@pytest.mark.parametrize("trouble", ["nowhere", "deaf"])
def test_a_dead_redis_costs_a_tenth_of_a_second_once_and_no_error(trouble: str, request: Any) -> None:
    url = request.getfixturevalue(trouble)
    costs = []
    for _ in range(20):
        begin = time.monotonic()
        emit(progress())
        costs.append(time.monotonic() - begin)
    assert max(costs) < 0.15
    assert sum(costs[1:]) < 0.02
    assert redis_publisher_for(url).lost == 20


def test_a_write_is_stored_and_answered_while_redis_is_dead(alice: Actor, nowhere: str) -> None:
    talk = conversation(alice)
    answer = client_of(alice).post(f"/api/conversations/{talk}/messages", {"role": "user", "content": "Hello"})
    assert answer.status_code == 201
    assert row_of(alice, talk).state_version == 1
    assert client_of(alice).get(f"/api/conversations/{talk}/live").json()["version"] == 1


def test_after_a_pause_it_is_tried_again(tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "logs").mkdir()
    server = Redis(tmp_path, tmp_path, death_signal=signal.SIGKILL)
    settings.REDIS_URL = server.url
    assert not redis_publisher_for(server.url).send("somewhere", b"")
    process = launch(server.program())
    try:
        assert wait_until(server.ready, 10)
        assert not redis_publisher_for(server.url).send("somewhere", b"")
        time.sleep(PAUSE_S)
        assert redis_publisher_for(server.url).send("somewhere", b"")
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process = launch(server.program())
        assert wait_until(server.ready, 10)
        assert redis_publisher_for(server.url).send("somewhere", b""), "a cut connection is made anew"
    finally:
        stop_all([(process, signal.SIGKILL)], 5)
        redis_publisher_for.cache_clear()


def test_a_row_read_before_does_not_turn_the_version_back(alice: Actor) -> None:
    talk = conversation(alice)
    stale = row_of(alice, talk)
    say(alice, talk, "Hello")

    with workspace(alice.workspace_id):
        stale.save()
    assert row_of(alice, talk).state_version == 1


def test_writers_at_once_take_versions_without_gaps(alice: Actor, told: list[Any]) -> None:
    talk = conversation(alice)
    at_once(lambda: say(alice, talk, "Hello"), times=8)
    assert sorted(frame["version"] for _, frame in told if "version" in frame) == list(range(1, 9))
