"""Put an event on record: without its secrets, with an id and a time, in the spool."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from typing import Any

from continuity_client.home import home, write_log
from continuity_client.hook.events import name_in
from continuity_client.hook.redaction import redacted_event
from continuity_client.hook.shortening import short_forms, skeleton
from continuity_client.hook.spool import LONGEST_EVENT, SpoolFull, Stored, count_lost, new_id, store

OWNER = ("server_id", "user_id", "workspace_id", "user", "workspace")


def envelope_of(settings: dict[str, Any], client: str, payload: dict[str, Any]) -> dict[str, Any]:
    """The event without its secrets, for the paired server alone; one that is too long in a shorter form."""
    return _envelope(settings, client, short_forms(payload), name_in(payload))


def record_event(settings: dict[str, Any], client: str, payload: dict[str, Any]) -> Stored | None:
    """Record an event that a sender delivers; None if that is impossible, which is logged and counted."""
    try:
        return store_event(envelope_of(settings, client, payload), waiting=False)
    except (ValueError, RecursionError) as error:
        write_log(home(), f"spool: {error}")
        count_lost()
        return None


def skeleton_envelope(settings: dict[str, Any], client: str, payload: dict[str, Any]) -> dict[str, Any]:
    """The least of an event, which takes next to no time."""
    return _envelope(settings, client, [skeleton(payload)], name_in(payload))


def _envelope(settings: dict[str, Any], client: str, forms: Iterable[dict[str, Any]], name: str) -> dict[str, Any]:
    head = {"id": new_id(), "recorded_at": _now(), "client": client, **owner_of(settings)}
    for form in forms:
        envelope = {**head, "payload": redacted_event(form)}
        if len(json.dumps(envelope)) <= LONGEST_EVENT:
            return envelope
    raise ValueError(f"The event {name} is too long to be stored.")


def owner_of(settings: dict[str, Any]) -> dict[str, Any]:
    """Whose events are recorded with these settings: a server's user in a workspace."""
    return {name: settings[name] for name in OWNER if settings.get(name)}


def is_of_another(envelope: dict[str, Any], settings: dict[str, Any]) -> str:
    """The reason why these settings may not send an event; empty if they may. A new key of the same user may.

    >>> is_of_another({"server_id": "1", "user_id": "a"}, {"server_id": "1", "user_id": "b"})
    'it was recorded for another user'
    """
    if envelope.get("server_id") != settings.get("server_id"):
        return "it was recorded for a server that was paired before"
    for kind in ("user", "workspace"):
        name = f"{kind}_id" if f"{kind}_id" in envelope and settings.get(f"{kind}_id") else kind
        if (envelope.get(name) or None) != (settings.get(name) or None):
            return f"it was recorded for another {kind}"
    return ""


def store_event(envelope: dict[str, Any], waiting: bool) -> Stored | None:
    """Store the event; None if there is no room for it."""
    try:
        return store(json.dumps(envelope).encode(), envelope["id"], waiting)
    except SpoolFull as error:
        write_log(home(), f"spool: {error}")
    except OSError as error:
        write_log(home(), f"spool: {error}")
        count_lost()
    return None


def _now() -> str:
    """The local time with its offset from UTC: what day it is depends on where the agent's user is."""
    moment = time.time()
    local = time.localtime(moment)
    offset = time.strftime("%z", local)
    seconds = time.strftime("%Y-%m-%dT%H:%M:%S", local)
    return f"{seconds}.{int(moment % 1 * 1e6):06d}{offset[:3]}:{offset[3:5]}"
