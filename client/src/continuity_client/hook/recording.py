"""Put an event on record: without its secrets, with an id and a time, in the spool."""

from __future__ import annotations

import json
import time
from typing import Any

from continuity_client.home import home, write_log
from continuity_client.hook.events import name_in
from continuity_client.hook.redaction import LONGEST_TEXT, redacted_event
from continuity_client.hook.spool import LONGEST_EVENT, SpoolFull, Stored, new_id, store

SHORT_TEXT = 20_000


def envelope_of(settings: dict[str, Any], client: str, payload: dict[str, Any]) -> dict[str, Any]:
    """The event without its secrets, for the paired server alone; one that is too long with shorter texts."""
    head = {"id": new_id(), "recorded_at": _now(), "client": client, "server_id": settings.get("server_id")}
    for longest in (LONGEST_TEXT, SHORT_TEXT):
        envelope = {**head, "payload": redacted_event(payload, longest=longest)}
        if len(json.dumps(envelope)) <= LONGEST_EVENT:
            return envelope
    raise ValueError(f"The event {name_in(payload)} is too long to be stored.")


def store_event(envelope: dict[str, Any], waiting: bool) -> Stored | None:
    """Store the event; None if there is no room for it."""
    try:
        return store(json.dumps(envelope).encode(), envelope["id"], waiting)
    except (OSError, SpoolFull) as error:
        write_log(home(), f"spool: {error}")
        return None


def _now() -> str:
    moment = time.time()
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(moment))}.{int(moment % 1 * 1e6):06d}Z"
