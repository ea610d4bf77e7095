"""Periodic access checks for clients that follow a reply, since a reply can take minutes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from uuid import UUID

import structlog
from django.db import Error, close_old_connections

from apps.accounts.actors import Actor
from apps.accounts.selectors.credentials import current_actor
from apps.common.errors import ContinuityError
from apps.common.tenancy import workspace
from apps.conversations.selectors.access import conversation_access

_log = structlog.get_logger("continuity.turns")


@dataclass(frozen=True, slots=True)
class Follower:
    """A client that follows a reply, with its credentials: an API key or a browser session."""

    actor: Actor
    session_key: str | None
    conversation_id: UUID

    async def may_follow(self) -> bool:
        """Check access on a thread that returns its connection. If the database is unavailable, access is unchanged."""
        return await asyncio.to_thread(self._asked)

    def _asked(self) -> bool:
        close_old_connections()
        try:
            return self._may_read()
        except ContinuityError:
            return False
        except Error as error:
            _log.warning("follower.not_asked", error=type(error).__name__)
            return True
        finally:
            close_old_connections()

    def _may_read(self) -> bool:
        actor = current_actor(self.actor, self.session_key)
        if actor is None or not actor.may_read:
            return False
        with workspace(actor.workspace_id):
            conversation_access(actor, self.conversation_id)
        return True
