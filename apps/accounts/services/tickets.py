"""Tickets for sockets: good for one use within half a minute, so that no lasting secret is sent where logs may see it.

Redis holds them, by their hash. A ticket that is lost with it is asked for again.
"""

from __future__ import annotations

import hashlib
import json
import secrets
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


def ticket_issue(actor: Actor) -> Ticket:
    secret = secrets.token_urlsafe(_BYTES)
    holder = {"user_id": str(actor.user_id), "workspace_id": str(actor.workspace_id)}
    if actor.key_id is not None:
        holder["key_id"] = str(actor.key_id)
    try:
        _redis().set(_name(secret), json.dumps(holder), ex=TICKET_S)
    except RedisError as error:
        raise Unavailable("Tickets cannot be had at the moment; try again soon.", code="no_tickets") from error
    return Ticket(secret, TICKET_S)


def ticket_redeem(secret: str) -> tuple[UUID, UUID, UUID | None] | None:
    """The user, the workspace and the key that the ticket was given to; nothing where it is not, or no longer, good."""
    try:
        found = _redis().getdel(_name(secret))
    except RedisError:
        return None
    if not isinstance(found, bytes):
        return None
    holder = {name: UUID(value) for name, value in json.loads(found).items()}
    return holder["user_id"], holder["workspace_id"], holder.get("key_id")


def _name(secret: str) -> str:
    return f"ticket:{hashlib.sha256(secret.encode()).hexdigest()}"


@cache
def _redis() -> Redis:
    return Redis.from_url(settings.REDIS_URL, socket_timeout=_PATIENCE_S, socket_connect_timeout=_PATIENCE_S)
