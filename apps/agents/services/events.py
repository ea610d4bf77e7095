"""Storing of an agent's events: one in the caller's unit of work, or a batch with a unit for each event."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from django.db import DatabaseError, DataError, InterfaceError

from apps.accounts.actors import Actor
from apps.agents.clients.event import AgentEvent, PayloadError
from apps.agents.clients.registry import DIALECTS
from apps.agents.records import BatchItem, BatchResult, Delivery, EventStatus, StoredEvent
from apps.agents.services.event_kinds import Arrival, arrival_store
from apps.agents.services.sessions import event_time, session_open
from apps.common.errors import ContinuityError, Invalid, TooLarge, Unavailable, Unprocessable
from apps.common.ids import uuid7
from apps.common.tenancy import workspace

_FAULTS_OF_EVENT = (Invalid, TooLarge, Unprocessable)
_LONGEST_REST_S = 5.0
_LASTING = (401, 403, 404)
"""Statuses for which a sender leaves its events in the spool, as it does when the server is unavailable."""
_log = structlog.get_logger("continuity.hooks")


def event_read(client: str, payload: Mapping[str, Any]) -> AgentEvent | None:
    """Return the event; None if its name is unknown. Raises `Invalid`, which points to the wrong value."""
    try:
        return DIALECTS[client].read(payload)
    except PayloadError as error:
        one = {"pointer": error.pointer, "code": "invalid", "detail": error.detail}
        raise Invalid(error.detail, extra={"errors": [one]}) from error


def event_store(actor: Actor, *, delivery: Delivery, payload: Mapping[str, Any]) -> StoredEvent:
    """Store an event once. One with an unknown name, or of a session that its user deleted, is ignored."""
    event = event_read(delivery.client, payload)
    opened = session_open(actor, delivery=delivery, event=event) if event else None
    if event is None or opened is None:
        return StoredEvent(EventStatus.IGNORED, event)
    session, changed = opened
    key = event.key or (f"event:{delivery.event_id}" if delivery.event_id else f"once:{uuid7()}")
    is_new = arrival_store(Arrival(actor, session, event, key, event_time(delivery, event), changed))
    return StoredEvent(EventStatus.STORED if is_new else EventStatus.REPEATED, event, session.conversation_id)


def batch_store(actor: Actor, *, client: str, items: Sequence[BatchItem]) -> list[BatchResult]:
    """Store each event in a short unit of its own, in order: a bad one harms no other. Call it outside a unit.

    Only what is wrong with an event itself refuses it. Whatever else fails, such as the right to write or the
    database, ends the batch, which can be sent again: what it has stored is repeated then.
    """
    results, rests = [], Rests()
    for item in items:
        rests.take()
        results.append(_item_store(actor, client, item))
    return results


class Rests:
    """Pauses of a thread that computes for long, each as long as it has computed since the one before.

    Other requests of the process get the interpreter's lock meanwhile. All pauses together are limited, because the
    client waits.
    """

    def __init__(self) -> None:
        self._left = _LONGEST_REST_S
        self._computed = time.thread_time()

    def take(self) -> None:
        """Pause. Call it outside a unit of work, so that nobody waits for a lock or a connection."""
        rest = min(time.thread_time() - self._computed, self._left)
        time.sleep(rest)
        self._left -= rest
        self._computed = time.thread_time()


def _item_store(actor: Actor, client: str, item: BatchItem) -> BatchResult:
    if item.problem:
        return _refused(item, Invalid(item.problem, extra={"errors": [_error(item.pointer, item.problem)]}))
    delivery = Delivery(client, item.id or "", item.recorded_at)
    try:
        with workspace(actor.workspace_id):
            return BatchResult(item.id, event_store(actor, delivery=delivery, payload=item.payload).status)
    except _FAULTS_OF_EVENT as error:
        return _refused(item, error)
    except ContinuityError as error:
        if error.status in _LASTING or error.status >= 500:
            raise
        raise Unavailable("The events could not all be stored; send them again.") from error
    except DataError as error:
        return _failed(item, client, error)
    except (DatabaseError, InterfaceError, OSError) as error:
        raise Unavailable("The events could not all be stored; send them again.") from error
    except Exception as error:
        return _failed(item, client, error)


def _failed(item: BatchItem, client: str, error: Exception) -> BatchResult:
    """Refuse an event that fails every time, so that it does not hold up the events after it."""
    _log.error("event.failed", client=client, event_id=item.id, error=type(error).__name__, exc_info=error)
    return _refused(item, Invalid("The event could not be stored.", code="event_failed"))


def _refused(item: BatchItem, error: ContinuityError) -> BatchResult:
    pointer = next((one["pointer"] for one in error.extra.get("errors", ())), "")
    problem = {"status": error.status, "code": error.code, "detail": error.detail, "pointer": pointer}
    return BatchResult(item.id, EventStatus.REFUSED, problem)


def _error(pointer: str, detail: str) -> dict[str, str]:
    return {"pointer": pointer, "code": "invalid", "detail": detail}
