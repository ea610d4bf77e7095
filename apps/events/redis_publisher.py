"""Redis publisher of events, in the wire format of Channels' Pub/Sub layer, without an event loop.

A Redis outage hardly slows down writers: timeouts are short, and after a failure publishing pauses. Events lost
in a pause are stored as pending events and published after it; clients then fetch the state.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, is_dataclass
from datetime import datetime
from functools import cache
from threading import Timer
from typing import Any
from uuid import UUID

import msgpack
import structlog
from django.conf import settings
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as NotConnected
from redis.retry import Retry

from apps.common.pause import Pause
from apps.events.envelopes import is_personal, version_frame
from apps.events.pending_events import PendingEvent, PendingEvents

PREFIX = "asgi"
TYPE = "live.frame"
PAUSE_S = 2.0
_TIMEOUT_S = 0.04
_AFTERWARDS_S = 0.05

_log = structlog.get_logger("continuity.events")


class RedisPublisher:
    """Publish through one connection pool per process, with a pause after failures."""

    def __init__(self, url: str) -> None:
        # Reconnect once after a dropped connection; give up immediately on a timeout.
        retry = Retry(NoBackoff(), 1, supported_errors=(NotConnected,))
        self._redis = Redis.from_url(
            url, socket_timeout=_TIMEOUT_S, socket_connect_timeout=_TIMEOUT_S, retry=retry, protocol=2
        )
        self._pause = Pause(PAUSE_S)
        self._pending = PendingEvents()
        self.lost = 0

    def send(self, channel: str, message: bytes) -> bool:
        """Publish a message; return False if it was lost."""
        if not self._pause.is_active() and self._publish(channel, message):
            return True
        self.lost += 1
        return False

    def defer(self, pending: PendingEvent) -> None:
        """Publish it after the pause, or immediately if the pause has just ended."""
        self._pending.add(pending)
        if not self._pause.is_active():
            self._flush()

    def _publish(self, channel: str, message: bytes) -> bool:
        try:
            self._redis.publish(channel, message)
        except (RedisError, OSError) as error:
            _log.warning("events.not_carried", error=type(error).__name__, lost=self.lost)
            self._begin_pause()
            return False
        return True

    def _begin_pause(self) -> None:
        """Start a pause and a timer that flushes pending events after it."""
        self._pause.begin()
        timer = Timer(PAUSE_S + _AFTERWARDS_S, self._flush)
        timer.daemon = True
        with suppress(RuntimeError):  # no thread available: sockets recover with their version checks
            timer.start()

    def _flush(self) -> None:
        """Publish pending events until Redis fails again, which starts another pause."""
        while not self._pause.is_active() and (pending := self._pending.take()) is not None:
            if not self._publish(pending.channel, pending.message):
                self._pending.add(pending)


def publish_frame(group: str, frame: dict[str, Any]) -> bool:
    """Send the frame to every socket of the group, wherever it is connected."""
    channel, redis = f"{PREFIX}__group__{group}", redis_publisher_for(settings.REDIS_URL)
    delivered = redis.send(channel, packed(frame))
    if not delivered and (pending := _pending_event(group, channel, frame)) is not None:
        redis.defer(pending)
    return delivered


@cache
def redis_publisher_for(url: str) -> RedisPublisher:
    return RedisPublisher(url)


def packed(frame: dict[str, Any]) -> bytes:
    """Serialize the frame to JSON once; sockets forward the text and read only the head."""
    about = str(frame.get("conversation_id", ""))
    head = {"type": TYPE, "name": frame.get("name", frame["type"]), "conversation_id": about}
    own: bytes = msgpack.packb({**head, "text": as_json(frame)})
    return own


def as_json(value: Any) -> str:
    return json.dumps(value, default=_plain, separators=(",", ":"), ensure_ascii=False)


def _pending_event(group: str, channel: str, frame: dict[str, Any]) -> PendingEvent | None:
    """Return the pending event for a lost frame; None if it has neither a version nor a recipient."""
    if "version" in frame:
        fallback = version_frame(frame["conversation_id"], frame["version"])
        return PendingEvent(channel, packed(fallback), frame["version"])
    return PendingEvent(channel, packed(frame)) if is_personal(group) else None


def _plain(value: Any) -> Any:
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")
