"""The connection to Redis: silent failures are detected, and unsubscriptions during an outage are respected."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from channels.layers import get_channel_layer
from pytest_django import Settings
from redis.exceptions import RedisError

from apps.events.redis_publisher import PREFIX, packed, redis_publisher_for
from apps.realtime.redis_layer import RESYNC, LiveLayer
from tests.realtime.sockets import in_sync, run

GROUP = "conversation.of-the-test"
FRAME = packed({"type": "version", "conversation_id": "", "version": 1})


class Wire:
    """A proxy between the layer and Redis that can stall connections, like a silent network failure."""

    def __init__(self, redis_url: str, path: Path) -> None:
        self._redis, self._path = redis_url.removeprefix("unix://"), str(path / "wire.sock")
        self.url = f"unix://{self._path}"
        self._dead: set[asyncio.StreamWriter] = set()
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Wire:
        self._server = await asyncio.start_unix_server(self._connected, self._path)
        return self

    async def __aexit__(self, *_: Any) -> None:
        self._server.close()
        for writer in self._open:
            writer.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def fall_silent(self) -> None:
        """Stall all present connections; new ones work."""
        self._dead |= self._open

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        theirs, ours = await asyncio.open_unix_connection(self._redis)
        self._open |= {writer, ours}
        for source, target in ((reader, ours), (theirs, writer)):
            self._tasks.add(asyncio.create_task(self._pass_on(source, target)))

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(65_536):
                if target not in self._dead:
                    target.write(data)


async def heard(listened: asyncio.Queue[Any], enqueue: Callable[[], Awaitable[bool]], seconds: float) -> bool:
    assert await enqueue()
    try:
        await asyncio.wait_for(listened.get(), seconds)
    except TimeoutError:
        return False
    return True


def test_an_unresponsive_connection_is_replaced(redis_url: str, tmp_path: Path, settings: Settings) -> None:
    settings.LIVE_TIMES = replace(settings.LIVE_TIMES, silence_s=0.3, answer_s=3)

    async def enqueue() -> bool:
        return bool(await in_sync(redis_publisher_for(redis_url).send, f"{PREFIX}__group__{GROUP}", FRAME))

    async def story() -> None:
        async with Wire(redis_url, tmp_path) as wire:
            layer, listened = LiveLayer(wire.url), asyncio.Queue[Any]()
            channel = await layer.new_channel()
            layer.listeners[channel] = listened.put_nowait
            await layer.group_add(GROUP, channel)
            assert await heard(listened, enqueue, 5)
            await asyncio.sleep(2.5)
            assert layer.channels[channel].empty(), "a Redis that answers is left alone"
            wire.fall_silent()
            assert not await heard(listened, enqueue, 0.2)
            assert await asyncio.wait_for(layer.receive(channel), 8) == RESYNC
            assert await heard(listened, enqueue, 5)
            await layer.flush()

    run(story)


def test_who_leaves_while_redis_is_away_is_not_subscribed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*_: Any) -> None:
        raise RedisError

    async def story() -> None:
        layer = get_channel_layer()
        channel = await layer.new_channel()
        await layer.group_add(GROUP, channel)
        (shard,) = layer._shards
        shard._pubsub.execute_command = away
        with pytest.raises(RedisError):
            await layer.group_discard(GROUP, channel)
        with pytest.raises(RedisError):
            await layer.new_channel()
        assert set(layer.channels) == shard._subscribed_to == {channel}
        assert set(shard._pubsub.channels) == {channel.encode()}

    run(story)
