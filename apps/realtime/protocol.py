"""What clients may say on a socket, read and refused in one place, and how much of it."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any
from uuid import UUID

LONGEST_FRAME = 65_536
LONGEST_TICKET = 64
MOST_SUBSCRIPTIONS = 50
_BURST = 120
_PER_SECOND = 20.0

WITH_CONVERSATION = frozenset({"subscribe", "unsubscribe"})
KINDS = WITH_CONVERSATION | {"authenticate", "ping"}


@dataclass(frozen=True, slots=True)
class Said:
    """One frame of a client's."""

    kind: str
    conversation_id: UUID | None = None
    ticket: str = ""


class Misunderstood(Exception):
    """The client gets this as an `error` frame, and may go on."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


def read_frame(text: str | None) -> Said:
    """Raises `Misunderstood`."""
    found = _object(text)
    kind = found.get("type")
    if not isinstance(kind, str) or kind not in KINDS:
        raise Misunderstood("unknown_type", f"The type must be one of: {', '.join(sorted(KINDS))}.")
    if kind in WITH_CONVERSATION:
        return Said(kind, conversation_id=_id(found.get("conversation_id")))
    return Said(kind, ticket=_ticket(found.get("ticket"))) if kind == "authenticate" else Said(kind)


def _object(text: str | None) -> dict[str, Any]:
    if text is None:
        raise Misunderstood("not_text", "Frames are JSON texts.")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Misunderstood("not_json", "The frame is not valid JSON.") from error
    if not isinstance(found, dict):
        raise Misunderstood("not_an_object", "A frame is a JSON object.")
    return found


def _id(value: Any) -> UUID:
    try:
        return UUID(value) if isinstance(value, str) else UUID("")
    except ValueError as error:
        raise Misunderstood("invalid_id", "conversation_id must be an id.") from error


def _ticket(value: Any) -> str:
    if not isinstance(value, str) or not value.isascii() or len(value) > LONGEST_TICKET:
        raise Misunderstood("invalid_ticket", "ticket must be what POST /api/ws-ticket gave.")
    return value


class Allowance:
    """How many frames a client may still send now: a burst, then so many a second."""

    def __init__(self) -> None:
        self._left = float(_BURST)
        self._at = time.monotonic()

    def take(self) -> bool:
        now = time.monotonic()
        self._left = min(float(_BURST), self._left + (now - self._at) * _PER_SECOND) - 1
        self._at = now
        if self._left < 0:
            self._left = 0
            return False
        return True
