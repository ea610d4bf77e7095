"""Limits on the sockets of this process and of one user: each costs memory and a share of every heartbeat.

An application may show one user's conversations to its whole audience, so the limit of one user is high too.
"""

from __future__ import annotations

from uuid import UUID

MOST_SOCKETS = 5_000
MOST_OF_ONE_PERSON = 1_500


class ConnectionLimits:
    """Count open sockets. A socket is admitted first and registered for a user once it is authenticated."""

    def __init__(self) -> None:
        self._whose: dict[object, UUID | None] = {}
        self._of_person: dict[UUID, int] = {}

    def admit(self, socket: object) -> bool:
        """Return False if the process has too many sockets."""
        if len(self._whose) >= MOST_SOCKETS:
            return False
        self._whose[socket] = None
        return True

    def register(self, socket: object, user_id: UUID) -> bool:
        """Return False if the user has too many sockets."""
        count = self._of_person.get(user_id, 0)
        if count >= MOST_OF_ONE_PERSON:
            return False
        self._whose[socket], self._of_person[user_id] = user_id, count + 1
        return True

    def leave(self, socket: object) -> None:
        user_id = self._whose.pop(socket, None)
        if user_id is not None:
            self._of_person[user_id] -= 1
            if not self._of_person[user_id]:
                del self._of_person[user_id]


connection_limits = ConnectionLimits()
