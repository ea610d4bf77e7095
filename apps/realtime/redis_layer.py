"""Channels' Pub/Sub layer over one connection to Redis, with two things more.

It tells its sockets when that connection was cut and made anew: what was published in between is lost, and nobody else
would notice. One that was cut without a word is found by asking: who only reads would wait for ever.

And what is for a group is read once and handed to its sockets directly: with a thousand of them, a queue and a task for
each would take longer than all the rest.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import structlog
from channels_redis.pubsub import RedisPubSubChannelLayer, RedisPubSubLoopLayer, RedisSingleShardConnection
from channels_redis.utils import _wrap_close, create_pool, decode_hosts
from django.conf import settings
from redis import asyncio as aioredis
from redis.asyncio.client import PubSub
from redis.exceptions import ConnectionError as NotConnected

Listener = Callable[[dict[str, Any]], None]
RESYNC = {"type": "live.resync"}
_CONNECT_S = 2
_PAUSE_S = 0.5

_log = structlog.get_logger("continuity.realtime")


class LiveLayer(RedisPubSubChannelLayer):  # type: ignore[misc]  # the base has no types
    """One inner layer for each event loop, as in the base."""

    def __init__(self, url: str) -> None:
        # A time-out of the socket would end the wait for messages.
        hosts = [{"address": url, "socket_timeout": None, "socket_connect_timeout": _CONNECT_S, "protocol": 2}]
        super().__init__(hosts=hosts)

    def _get_layer(self) -> _LoopLayer:
        loop = asyncio.get_running_loop()
        if loop not in self._layers:
            self._layers[loop] = _LoopLayer(*self._args, **self._kwargs, channel_layer=self)
            _wrap_close(self, loop)
        layer: _LoopLayer = self._layers[loop]
        return layer


class _LoopLayer(RedisPubSubLoopLayer):  # type: ignore[misc]  # the base has no types
    def __init__(self, hosts: Any, **options: Any) -> None:
        super().__init__(hosts=hosts, **options)
        self._shards = [_Shard(host, self) for host in decode_hosts(hosts)]
        self.listeners: dict[str, Listener] = {}

    async def _subscribe_to_channel(self, channel: str) -> None:
        """What could not be subscribed to is not kept: nobody was told its name."""
        try:
            await super()._subscribe_to_channel(channel)
        except BaseException:
            self.channels.pop(channel, None)
            raise

    def resync(self) -> None:
        for queue in self.channels.values():
            queue.put_nowait(self.channel_layer.serialize(RESYNC))


class _Shard(RedisSingleShardConnection):  # type: ignore[misc]  # the base has no types
    _redis: Any
    _pubsub: Any

    def _ensure_redis(self) -> None:
        if self._redis is None:
            pool = create_pool(self.host)
            self._redis = aioredis.Redis(connection_pool=pool)
            self._pubsub = _WatchedPubSub(pool, self.channel_layer)

    async def unsubscribe(self, channel: str) -> None:
        """Also where Redis is away: then it is not subscribed to again when Redis is back."""
        if self._pubsub is not None:
            self._pubsub.channels.pop(channel.encode(), None)
        try:
            await super().unsubscribe(channel)
        finally:
            self._subscribed_to.discard(channel)

    async def _do_receiving(self) -> None:
        """As the base's: nothing ends it. But a Redis that is away is told once, not with a traceback a second."""
        told = False
        while True:
            try:
                await self._receive_next()
                told = False
            except Exception as error:
                if not told:
                    _log.warning("realtime.nothing_received", error=type(error).__name__)
                told = True
                await asyncio.sleep(_PAUSE_S)

    def _receive_message(self, message: Any) -> None:
        layer = self.channel_layer
        group = layer.groups.get(message["channel"].decode())
        if group is None:
            super()._receive_message(message)
            return
        read = layer.channel_layer.deserialize(message["data"])
        for channel in list(group):
            if channel in layer.listeners:
                layer.listeners[channel](read)

    async def _receive_next(self) -> None:
        if not self._pubsub.subscribed:
            self._pubsub.pulse.felt()
            await asyncio.sleep(0.1)
            return
        message = await self._pubsub.get_message(ignore_subscribe_messages=True, timeout=1.0)
        if message is None:
            await self._pubsub.ask()
            return
        self._pubsub.pulse.felt()
        if message["type"] == "message":
            self._receive_message(message)


class _Pulse:
    """When something was heard last, and since when an answer is awaited."""

    def __init__(self) -> None:
        self.felt()

    def felt(self) -> None:
        self._last = time.monotonic()
        self._asked: float | None = None

    def is_weak(self) -> bool:
        """Whether it is time to ask; then the waiting begins."""
        if self._asked is not None or time.monotonic() - self._last < settings.LIVE_TIMES.silence_s:
            return False
        self._asked = time.monotonic()
        return True

    def is_gone(self) -> bool:
        return self._asked is not None and time.monotonic() - self._asked > settings.LIVE_TIMES.answer_s


class _WatchedPubSub(PubSub):
    """The callback runs when a connection was made again, after the channels were subscribed anew."""

    def __init__(self, pool: aioredis.ConnectionPool, layer: _LoopLayer) -> None:
        super().__init__(pool)
        self._layer = layer
        self.pulse = _Pulse()

    async def on_connect(self, connection: Any) -> None:
        await super().on_connect(connection)
        self.pulse.felt()
        self._layer.resync()

    async def ask(self) -> None:
        """Whether anybody is there, after a long silence; a connection that gives no answer is cut, to be made anew.

        The driver's own health check sends a ping here too, but never looks for its answer.
        """
        if self.pulse.is_gone() and self.connection is not None:
            await self.connection.disconnect(nowait=True)
            raise NotConnected("Redis gives no answer")
        if self.pulse.is_weak():
            await self.ping()
