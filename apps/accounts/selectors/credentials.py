"""The actor that the credentials of a long-lived request still give."""

from __future__ import annotations

from apps.accounts.actors import Actor
from apps.accounts.selectors.keys import api_key_actor
from apps.accounts.selectors.sessions import session_holder
from apps.accounts.selectors.users import actor_in, user_get


def current_actor(actor: Actor, session_key: str | None) -> Actor | None:
    """Return the actor with its present role, or None if its key or session has ended."""
    if actor.key_id is not None:
        return api_key_actor(actor.key_id, actor.user_id)
    if session_key is not None and session_holder(session_key) is None:
        return None
    user_get(actor.user_id)
    return actor_in(actor.user_id, actor.workspace_id)
