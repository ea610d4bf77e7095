"""Redis as the carrier of events, in the wire format of Channels' Pub/Sub layer, without an event loop.

A message that nobody can be told of is lost: clients find out by the version and fetch the state. So a Redis that is
gone costs a writer next to nothing: short time-outs, and after a failure a pause in which nothing is tried.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, is_dataclass
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

import msgpack
import structlog
from django.conf import settings
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as NotConnected
from redis.retry import Retry

PREFIX = "asgi"
TYPE = "live.frame"
PAUSE_S = 2.0
_TIMEOUT_S = 0.04

_log = structlog.get_logger("continuity.events")


class Carrier:
    """One connection pool of a process, and whether it is worth trying."""

    def __init__(self, url: str) -> None:
        # A connection that was cut is made anew once; one that hangs is given up at once.
        retry = Retry(NoBackoff(), 1, supported_errors=(NotConnected,))
        self._redis = Redis.from_url(
            url, socket_timeout=_TIMEOUT_S, socket_connect_timeout=_TIMEOUT_S, retry=retry, protocol=2
        )
        self._silent_until = 0.0
        self.lost = 0

    def send(self, channel: str, message: bytes) -> bool:
        """Whether Redis took it."""
        if time.monotonic() < self._silent_until:
            self.lost += 1
            return False
        try:
            self._redis.publish(channel, message)
        except (RedisError, OSError) as error:
            self.lost += 1
            self._silent_until = time.monotonic() + PAUSE_S
            _log.warning("events.not_carried", error=type(error).__name__, lost=self.lost)
            return False
        return True


def carry(group: str, frame: dict[str, Any]) -> bool:
    """Send the frame to every socket of the group, wherever it is connected."""
    return carrier(settings.REDIS_URL).send(f"{PREFIX}__group__{group}", packed(frame))


@cache
def carrier(url: str) -> Carrier:
    return Carrier(url)


def packed(frame: dict[str, Any]) -> bytes:
    """The frame is written as JSON once, here; sockets pass the text on, and read only what they act upon."""
    head = {"name": frame["name"], "conversation_id": str(frame.get("conversation_id", "")), "text": as_json(frame)}
    own: bytes = msgpack.packb({"type": TYPE, **head, **_orders(frame)})
    return own


def as_json(value: Any) -> str:
    return json.dumps(value, default=_plain, separators=(",", ":"), ensure_ascii=False)


def _orders(frame: dict[str, Any]) -> dict[str, str]:
    """What a socket must know of a frame about itself."""
    if frame["name"] != "AccessRevoked":
        return {}
    return {name: str(frame["data"].get(name) or "") for name in ("key_id",)}


def _plain(value: Any) -> Any:
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")
