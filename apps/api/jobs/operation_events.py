"""Server-sent events of an operation: its progress and its outcome."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db import Error, close_old_connections

from apps.accounts.actors import Actor
from apps.accounts.selectors.credentials import current_actor
from apps.api.framework.event_streams import KEEPALIVE, event_frame
from apps.api.jobs.operation_serializers import OperationSerializer
from apps.common.errors import ContinuityError, NotFound
from apps.common.tenancy import workspace
from apps.jobs.records import OperationView
from apps.jobs.selectors import operation_get

_OUTCOMES = {"succeeded": "done", "failed": "failed"}
_REVOKED = {"code": "access_revoked", "detail": "You no longer have access to this operation."}
_closing = threading.Event()


@dataclass(frozen=True, slots=True)
class OperationStreamTimes:
    """The operation is read every `poll_s`; a comment is sent after `keepalive_s`; a stream ends after `life_s`."""

    poll_s: float = 1
    keepalive_s: float = 15
    life_s: float = 600


@dataclass(frozen=True, slots=True)
class OperationReader:
    """A client that follows an operation, with its credentials: an API key or a browser session."""

    actor: Actor
    session_key: str | None
    operation_id: UUID

    async def read(self) -> OperationView:
        """Read the operation on a thread that returns its connection; raise `ContinuityError` if access has ended."""
        return await asyncio.to_thread(self._read)

    def _read(self) -> OperationView:
        close_old_connections()
        try:
            actor = current_actor(self.actor, self.session_key)
            if actor is None or not actor.may_read:
                raise NotFound("Operation not found.")
            with workspace(actor.workspace_id):
                return operation_get(actor, self.operation_id)
        finally:
            close_old_connections()


def operation_streams_stop() -> None:
    """End the streams of this process, so that it can exit; clients connect again elsewhere."""
    _closing.set()


async def operation_frames(reader: OperationReader, operation: OperationView) -> AsyncIterator[bytes]:
    """Yield an event whenever the operation has changed, and comments between them, until it has finished."""
    times: OperationStreamTimes = getattr(settings, "OPERATION_STREAM_TIMES", OperationStreamTimes())
    end, sent_at = time.monotonic() + times.life_s, time.monotonic()
    yield _event(operation)
    while operation.finished_at is None and time.monotonic() < end and not _closing.is_set():
        await asyncio.sleep(times.poll_s)
        before = operation
        try:
            operation = await reader.read()
        except ContinuityError:
            yield event_frame("revoked", _REVOKED)
            return
        except Error:
            pass  # The database is unavailable for now; the next read may succeed.
        if operation != before or time.monotonic() - sent_at >= times.keepalive_s:
            yield _event(operation) if operation != before else KEEPALIVE
            sent_at = time.monotonic()


def _event(operation: OperationView) -> bytes:
    return event_frame(_OUTCOMES.get(operation.state, "progress"), dict(OperationSerializer(operation).data))
