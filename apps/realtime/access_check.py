"""Access check of a socket: authenticate it when it opens and recheck it with every heartbeat."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors.keys import api_key_actor
from apps.accounts.selectors.sessions import session_holder
from apps.accounts.selectors.users import actor_in, actor_or_none, user_get
from apps.accounts.services.tickets import ticket_redeem
from apps.common.errors import ContinuityError
from apps.common.tenancy import workspace
from apps.context.selectors.conversation.live_snapshot import live_versions


@dataclass(frozen=True, slots=True)
class SocketCredentials:
    """The credentials that opened a socket: a session, its ticket, or a key's ticket. Valid as long as those are."""

    actor: Actor
    session_key: str | None = None


def credentials_of_session(session_key: str, wanted: UUID | None) -> SocketCredentials | None:
    """Return the session's user in the requested workspace, by default the one they selected."""
    holder = session_holder(session_key)
    if holder is None:
        return None
    user_id, chosen = holder
    actor = _member(user_id, wanted) if wanted else actor_or_none(user_id, chosen)
    return SocketCredentials(actor, session_key) if actor else None


def credentials_of_ticket(secret: str) -> SocketCredentials | None:
    ticket = ticket_redeem(secret)
    if ticket is None:
        return None
    if ticket.session_key is not None:
        return credentials_of_session(ticket.session_key, ticket.workspace_id)
    actor = _actor_now(ticket.user_id, ticket.workspace_id, ticket.key_id)
    return SocketCredentials(actor) if actor and actor.may_read else None


def access_recheck(
    credentials: SocketCredentials, conversation_ids: Collection[UUID]
) -> tuple[SocketCredentials | None, dict[UUID, int]]:
    """Return the renewed credentials, None if revoked, and the versions of conversations that are still readable."""
    renewed = _renewed(credentials)
    if renewed is None or not conversation_ids:
        return renewed, {}
    with workspace(renewed.actor.workspace_id):
        return renewed, live_versions(renewed.actor, conversation_ids)


def _renewed(credentials: SocketCredentials) -> SocketCredentials | None:
    actor = credentials.actor
    if credentials.session_key is not None:
        return credentials_of_session(credentials.session_key, actor.workspace_id)
    now = _actor_now(actor.user_id, actor.workspace_id, actor.key_id)
    return SocketCredentials(now) if now and now.may_read else None


def _actor_now(user_id: UUID, workspace_id: UUID, key_id: UUID | None) -> Actor | None:
    return api_key_actor(key_id, user_id) if key_id else _member(user_id, workspace_id)


def _member(user_id: UUID, workspace_id: UUID) -> Actor | None:
    try:
        user_get(user_id)
        return actor_in(user_id, workspace_id)
    except ContinuityError:
        return None
