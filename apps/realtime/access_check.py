"""For whom a socket is open, and whether it still may be: asked when it opens and again with every beat."""

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
    """How somebody got in: by a session or its ticket, or by a key's ticket; it holds as long as those do."""

    actor: Actor
    session_key: str | None = None


def credentials_of_session(session_key: str, wanted: UUID | None) -> SocketCredentials | None:
    """The person of the session, in the wanted workspace, else in the one they chose."""
    held = session_holder(session_key)
    if held is None:
        return None
    user_id, chosen = held
    actor = _member(user_id, wanted) if wanted else actor_or_none(user_id, chosen)
    return SocketCredentials(actor, session_key) if actor else None


def credentials_of_ticket(secret: str) -> SocketCredentials | None:
    held = ticket_redeem(secret)
    if held is None:
        return None
    if held.session_key is not None:
        return credentials_of_session(held.session_key, held.workspace_id)
    actor = api_key_actor(held.key_id) if held.key_id else _member(held.user_id, held.workspace_id)
    return SocketCredentials(actor) if actor and actor.may_read else None


def access_recheck(
    held: SocketCredentials, conversation_ids: Collection[UUID]
) -> tuple[SocketCredentials | None, dict[UUID, int]]:
    """The pass as it is now, and the versions of those conversations that may still be read."""
    renewed = _renewed(held)
    if renewed is None or not conversation_ids:
        return renewed, {}
    with workspace(renewed.actor.workspace_id):
        return renewed, live_versions(renewed.actor, conversation_ids)


def _renewed(held: SocketCredentials) -> SocketCredentials | None:
    actor = held.actor
    if held.session_key is not None:
        return credentials_of_session(held.session_key, actor.workspace_id)
    now = api_key_actor(actor.key_id) if actor.key_id else _member(actor.user_id, actor.workspace_id)
    return SocketCredentials(now) if now and now.may_read else None


def _member(user_id: UUID, workspace_id: UUID) -> Actor | None:
    try:
        user_get(user_id)
        return actor_in(user_id, workspace_id)
    except ContinuityError:
        return None
