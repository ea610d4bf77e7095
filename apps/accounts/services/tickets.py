"""Tickets for sockets: good for one use within half a minute, so that no lasting secret is sent where logs may see it.

Redis holds them, by their hash. A ticket that is lost with it is asked for again. One that a session got is good as
long as the session is, so it names it; what Redis holds of the session's key can be read with the ticket alone.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass
from functools import cache
from uuid import UUID

from django.conf import settings
from redis import Redis, RedisError

from apps.accounts.actors import Actor
from apps.accounts.records import Ticket
from apps.common.errors import Unavailable

TICKET_S = 30
_BYTES = 16
_PATIENCE_S = 1.0


@dataclass(frozen=True, slots=True)
class TicketHolder:
    """To whom the ticket was given: to a program by its `key_id`, to a browser by its `session_key`."""

    user_id: UUID
    workspace_id: UUID
    key_id: UUID | None = None
    session_key: str | None = None


def ticket_issue(actor: Actor, *, session_key: str | None = None) -> Ticket:
    secret = secrets.token_urlsafe(_BYTES)
    holder = {"user_id": str(actor.user_id), "workspace_id": str(actor.workspace_id)}
    if actor.key_id is not None:
        holder["key_id"] = str(actor.key_id)
    if session_key is not None:
        holder["session"] = _covered(secret, session_key.encode()).hex()
    try:
        _redis().set(_name(secret), json.dumps(holder), ex=TICKET_S)
    except RedisError as error:
        raise Unavailable("Tickets cannot be had at the moment; try again soon.", code="no_tickets") from error
    return Ticket(secret, TICKET_S)


def ticket_redeem(secret: str) -> TicketHolder | None:
    """Nothing where the ticket is not, or no longer, good."""
    try:
        found = _redis().getdel(_name(secret))
    except RedisError:
        return None
    if not isinstance(found, bytes):
        return None
    held: dict[str, str] = json.loads(found)
    key_id, session = held.get("key_id"), held.get("session")
    return TicketHolder(
        user_id=UUID(held["user_id"]),
        workspace_id=UUID(held["workspace_id"]),
        key_id=UUID(key_id) if key_id else None,
        session_key=_covered(secret, bytes.fromhex(session)).decode() if session else None,
    )


def _covered(secret: str, text: bytes) -> bytes:
    """Covered, and uncovered again, by as many bytes as only the secret gives; it is used for this one text alone."""
    cover = hashlib.shake_256(f"session:{secret}".encode()).digest(len(text))
    return bytes(a ^ b for a, b in zip(text, cover, strict=True))


def _name(secret: str) -> str:
    return f"ticket:{hashlib.sha256(secret.encode()).hexdigest()}"


@cache
def _redis() -> Redis:
    return Redis.from_url(settings.REDIS_URL, socket_timeout=_PATIENCE_S, socket_connect_timeout=_PATIENCE_S)
