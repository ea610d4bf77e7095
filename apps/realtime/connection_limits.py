"""How many sockets this process holds, and of one person: each costs memory and a share of every beat.

A person may be the whole audience of an application that shows their conversations to others, so theirs are many too.
"""

from __future__ import annotations

from uuid import UUID

MOST_SOCKETS = 5_000
MOST_OF_ONE_PERSON = 1_500


class ConnectionLimits:
    """A socket comes in first, and sits down as somebody when it is known whose it is."""

    def __init__(self) -> None:
        self._whose: dict[object, UUID | None] = {}
        self._of_person: dict[UUID, int] = {}

    def come_in(self, socket: object) -> bool:
        """Whether there is room for it."""
        if len(self._whose) >= MOST_SOCKETS:
            return False
        self._whose[socket] = None
        return True

    def sit_down(self, socket: object, user_id: UUID) -> bool:
        """Whether the person may have one more."""
        held = self._of_person.get(user_id, 0)
        if held >= MOST_OF_ONE_PERSON:
            return False
        self._whose[socket], self._of_person[user_id] = user_id, held + 1
        return True

    def leave(self, socket: object) -> None:
        user_id = self._whose.pop(socket, None)
        if user_id is not None:
            self._of_person[user_id] -= 1
            if not self._of_person[user_id]:
                del self._of_person[user_id]


seats = ConnectionLimits()
