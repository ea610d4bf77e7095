"""Redis as the carrier of events, in the wire format of Channels' Pub/Sub layer, without an event loop.

A Redis that is gone costs a writer next to nothing: short time-outs, and after a failure a pause in which nothing is
tried. What is lost in that time is remembered in short, and told when the pause is over: clients fetch the state then.
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


class Carrier:
    """One connection pool of a process, and whether it is worth trying."""

    def __init__(self, url: str) -> None:
        # A connection that was cut is made anew once; one that hangs is given up at once.
        retry = Retry(NoBackoff(), 1, supported_errors=(NotConnected,))
        self._redis = Redis.from_url(
            url, socket_timeout=_TIMEOUT_S, socket_connect_timeout=_TIMEOUT_S, retry=retry, protocol=2
        )
        self._pause = Pause(PAUSE_S)
        self._owed = PendingEvents()
        self.lost = 0

    def send(self, channel: str, message: bytes) -> bool:
        """Whether Redis took it."""
        if not self._pause.is_active() and self._publish(channel, message):
            return True
        self.lost += 1
        return False

    def owe(self, hint: PendingEvent) -> None:
        """Tell it when the pause is over; whoever comes just after that tells it at once."""
        self._owed.add(hint)
        if not self._pause.is_active():
            self._settle()

    def _publish(self, channel: str, message: bytes) -> bool:
        try:
            self._redis.publish(channel, message)
        except (RedisError, OSError) as error:
            _log.warning("events.not_carried", error=type(error).__name__, lost=self.lost)
            self._begin_pause()
            return False
        return True

    def _begin_pause(self) -> None:
        """Somebody comes back after it, whether or not anything happens until then."""
        self._pause.begin()
        timer = Timer(PAUSE_S + _AFTERWARDS_S, self._settle)
        timer.daemon = True
        with suppress(RuntimeError):  # no thread is to be had: the sockets' own asking must do
            timer.start()

    def _settle(self) -> None:
        """Tell what is owed, until Redis fails again: then another pause has begun."""
        while not self._pause.is_active() and (hint := self._owed.take()) is not None:
            if not self._publish(hint.channel, hint.message):
                self._owed.add(hint)


def carry(group: str, frame: dict[str, Any]) -> bool:
    """Send the frame to every socket of the group, wherever it is connected."""
    channel, redis = f"{PREFIX}__group__{group}", carrier(settings.REDIS_URL)
    taken = redis.send(channel, packed(frame))
    if not taken and (hint := _hint(group, channel, frame)) is not None:
        redis.owe(hint)
    return taken


@cache
def carrier(url: str) -> Carrier:
    return Carrier(url)


def packed(frame: dict[str, Any]) -> bytes:
    """The frame is written as JSON once, here; sockets pass the text on, and read only what they act upon."""
    about = str(frame.get("conversation_id", ""))
    head = {"type": TYPE, "name": frame.get("name", frame["type"]), "conversation_id": about}
    own: bytes = msgpack.packb({**head, "text": as_json(frame)})
    return own


def as_json(value: Any) -> str:
    return json.dumps(value, default=_plain, separators=(",", ":"), ensure_ascii=False)


def _hint(group: str, channel: str, frame: dict[str, Any]) -> PendingEvent | None:
    """What stands in for the frame if it is lost; what has neither a version nor a person may be lost."""
    if "version" in frame:
        told = version_frame(frame["conversation_id"], frame["version"])
        return PendingEvent(channel, packed(told), frame["version"])
    return PendingEvent(channel, packed(frame)) if is_personal(group) else None


def _plain(value: Any) -> Any:
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")
