"""Channels' Pub/Sub layer over one connection to Redis, with two additions.

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
        # A socket timeout would interrupt waiting for messages.
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
        """Drop the channel if subscribing fails: its name was not handed out."""
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
        """Unsubscribe even during an outage, so that the channel is not resubscribed on reconnect."""
        if self._pubsub is not None:
            self._pubsub.channels.pop(channel.encode(), None)
        try:
            await super().unsubscribe(channel)
        finally:
            self._subscribed_to.discard(channel)

    async def _do_receiving(self) -> None:
        """Receive forever, as the base class does, but log an outage once instead of a traceback every second."""
        logged = False
        while True:
            try:
                await self._receive_next()
                logged = False
            except Exception as error:
                if not logged:
                    _log.warning("realtime.nothing_received", error=type(error).__name__)
                logged = True
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
            self._pubsub.pulse.reset()
            await asyncio.sleep(0.1)
            return
        message = await self._pubsub.get_message(ignore_subscribe_messages=True, timeout=1.0)
        if message is None:
            await self._pubsub.check_alive()
            return
        self._pubsub.pulse.reset()
        if message["type"] == "message":
            self._receive_message(message)


class _Pulse:
    """Time of the last message, and of a ping that waits for its answer."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self._last = time.monotonic()
        self._pinged_at: float | None = None

    def should_ping(self) -> bool:
        """Return whether a ping is due, and start waiting for its answer."""
        if self._pinged_at is not None or time.monotonic() - self._last < settings.LIVE_TIMES.silence_s:
            return False
        self._pinged_at = time.monotonic()
        return True

    def is_dead(self) -> bool:
        return self._pinged_at is not None and time.monotonic() - self._pinged_at > settings.LIVE_TIMES.answer_s


class _WatchedPubSub(PubSub):
    """Resynchronize sockets after every reconnect, once the channels are subscribed again."""

    def __init__(self, pool: aioredis.ConnectionPool, layer: _LoopLayer) -> None:
        super().__init__(pool)
        self._layer = layer
        self.pulse = _Pulse()

    async def on_connect(self, connection: Any) -> None:
        await super().on_connect(connection)
        self.pulse.reset()
        self._layer.resync()

    async def check_alive(self) -> None:
        """Ping Redis after a long silence; drop a connection that does not answer, so that it is reopened.

        The driver's own health check also pings, but never waits for the answer.
        """
        if self.pulse.is_dead() and self.connection is not None:
            await self.connection.disconnect(nowait=True)
            raise NotConnected("Redis gives no answer")
        if self.pulse.should_ping():
            await self.ping()
