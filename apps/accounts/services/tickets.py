"""Single-use WebSocket tickets, valid for half a minute, so that no long-lived secret appears in logs.

Redis stores them under their hash; if Redis loses one, the client requests another. A session's ticket contains the
session key, because the socket must close with the session. The session key is encrypted with the ticket itself.
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
_TIMEOUT_S = 1.0


@dataclass(frozen=True, slots=True)
class TicketHolder:
    """The holder of a ticket: a program by its `key_id`, or a browser by its `session_key`."""

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
        holder["session"] = _xor_encrypt(secret, session_key.encode()).hex()
    try:
        _redis().set(_name(secret), json.dumps(holder), ex=TICKET_S)
    except RedisError as error:
        raise Unavailable(
            "Live updates are temporarily unavailable. Try again in a moment.", code="no_tickets"
        ) from error
    return Ticket(secret, TICKET_S)


def ticket_redeem(secret: str) -> TicketHolder | None:
    """Consume a ticket and return its holder; None if it is invalid, expired or used."""
    try:
        stored = _redis().getdel(_name(secret))
    except RedisError:
        return None
    if not isinstance(stored, bytes):
        return None
    values: dict[str, str] = json.loads(stored)
    key_id, session = values.get("key_id"), values.get("session")
    return TicketHolder(
        user_id=UUID(values["user_id"]),
        workspace_id=UUID(values["workspace_id"]),
        key_id=UUID(key_id) if key_id else None,
        session_key=_xor_encrypt(secret, bytes.fromhex(session)).decode() if session else None,
    )


def _xor_encrypt(secret: str, text: bytes) -> bytes:
    """Encrypt or decrypt a text with a one-time pad derived from the secret, which is used for this text only."""
    pad = hashlib.shake_256(f"session:{secret}".encode()).digest(len(text))
    return bytes(a ^ b for a, b in zip(text, pad, strict=True))


def _name(secret: str) -> str:
    return f"ticket:{hashlib.sha256(secret.encode()).hexdigest()}"


@cache
def _redis() -> Redis:
    return Redis.from_url(settings.REDIS_URL, socket_timeout=_TIMEOUT_S, socket_connect_timeout=_TIMEOUT_S)
