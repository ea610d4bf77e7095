"""Parsing, validation and rate limiting of the frames that clients send."""

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
class ClientFrame:
    """A parsed frame from a client."""

    kind: str
    conversation_id: UUID | None = None
    ticket: str = ""


class ProtocolError(Exception):
    """A recoverable error, which is sent to the client as an `error` frame."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


def read_frame(text: str | None) -> ClientFrame:
    """Parse a frame; raise `ProtocolError` if it is invalid."""
    values = _object(text)
    kind = values.get("type")
    if not isinstance(kind, str) or kind not in KINDS:
        raise ProtocolError("unknown_type", f"The type must be one of: {', '.join(sorted(KINDS))}.")
    if kind in WITH_CONVERSATION:
        return ClientFrame(kind, conversation_id=_id(values.get("conversation_id")))
    return ClientFrame(kind, ticket=_ticket(values.get("ticket"))) if kind == "authenticate" else ClientFrame(kind)


def _object(text: str | None) -> dict[str, Any]:
    if text is None:
        raise ProtocolError("not_text", "Frames are JSON texts.")
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("not_json", "The frame is not valid JSON.") from error
    if not isinstance(values, dict):
        raise ProtocolError("not_an_object", "A frame is a JSON object.")
    return values


def _id(value: Any) -> UUID:
    try:
        return UUID(value) if isinstance(value, str) else UUID("")
    except ValueError as error:
        raise ProtocolError("invalid_id", "conversation_id must be an id.") from error


def _ticket(value: Any) -> str:
    if not isinstance(value, str) or not value.isascii() or len(value) > LONGEST_TICKET:
        raise ProtocolError("invalid_ticket", "ticket must be what POST /api/ws-ticket gave.")
    return value


class FrameBudget:
    """Token bucket of a client's frames: a burst, then a constant rate."""

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
