"""Coalesced health updates: for each conversation watched in this process, recompute health at most every 250 ms and
send it to all watching sockets.
"""

from __future__ import annotations

import asyncio
from typing import Protocol
from uuid import UUID

import structlog
from django.conf import settings

from apps.accounts.actors import Actor
from apps.common.errors import ContinuityError
from apps.common.tenancy import workspace
from apps.context.selectors.conversation.health import conversation_health
from apps.events.envelopes import event_frame
from apps.events.redis_publisher import as_json
from apps.events.types import HealthChanged
from apps.realtime.db_threads import in_thread

_log = structlog.get_logger("continuity.realtime")


class Watcher(Protocol):
    """A socket that watches conversations."""

    @property
    def actor(self) -> Actor: ...

    def enqueue(self, text: str) -> None: ...


class HealthBroadcaster:
    """Track watchers by conversation and send them health updates."""

    def __init__(self) -> None:
        self._watchers: dict[UUID, set[Watcher]] = {}
        self._readings: dict[UUID, asyncio.Task[None]] = {}
        self._changed: set[UUID] = set()

    def join(self, conversation_id: UUID, watcher: Watcher) -> None:
        self._watchers.setdefault(conversation_id, set()).add(watcher)

    def leave(self, conversation_id: UUID, watcher: Watcher) -> None:
        watchers = self._watchers.get(conversation_id, set())
        watchers.discard(watcher)
        if not watchers:
            self._watchers.pop(conversation_id, None)

    def changed(self, conversation_id: UUID) -> None:
        """Schedule a health update; changes until then are coalesced into it."""
        self._changed.add(conversation_id)
        if conversation_id not in self._readings:
            self._readings[conversation_id] = asyncio.create_task(self._read_while_changed(conversation_id))

    async def _read_while_changed(self, conversation_id: UUID) -> None:
        try:
            while conversation_id in self._changed:
                await asyncio.sleep(settings.LIVE_TIMES.health_s)
                self._changed.discard(conversation_id)
                await self._read(conversation_id)
        finally:
            self._changed.discard(conversation_id)
            self._readings.pop(conversation_id, None)

    async def _read(self, conversation_id: UUID) -> None:
        """Read health once, as the first watcher that still has access, and send it to the watchers with access."""
        watchers = list(self._watchers.get(conversation_id, ()))
        for actor in {watcher.actor: None for watcher in watchers}:
            try:
                text = await in_thread(_health_frame, actor, conversation_id)
            except ContinuityError:
                watchers = [watcher for watcher in watchers if watcher.actor != actor]
                continue
            except Exception as error:
                _log.warning("realtime.no_health", error=type(error).__name__)
                return
            for watcher in watchers:
                watcher.enqueue(text)
            return


health_broadcaster = HealthBroadcaster()


def _health_frame(actor: Actor, conversation_id: UUID) -> str:
    with workspace(actor.workspace_id):
        version, health = conversation_health(actor, conversation_id)
    return as_json(event_frame(HealthChanged(conversation_id=conversation_id, version=version, health=health)))
