"""Publishing of events after the commit; a publishing failure never fails a committed write."""

from __future__ import annotations

from functools import partial

import structlog
from django.db import transaction

from apps.events.envelopes import event_frame, group_of
from apps.events.redis_publisher import publish_frame
from apps.events.types import Event

_log = structlog.get_logger("continuity.events")


def publish(event: Event) -> None:
    """Emit the event once the current transaction commits; drop it on rollback."""
    transaction.on_commit(partial(emit, event), robust=True)


def emit(event: Event) -> None:
    """Emit the event immediately. Safe on an event loop: it blocks for at most 0.1 s."""
    frame = event_frame(event)
    _log.debug("event", event_name=frame["name"], version=frame.get("version"))
    publish_frame(group_of(event), frame)
