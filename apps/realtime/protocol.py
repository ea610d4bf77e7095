"""Parsing, validation and rate limiting of the frames that clients send."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

LONGEST_FRAME = 65_536
LONGEST_TICKET = 64
MOST_SUBSCRIPTIONS = 50
_BURST = 120
_PER_SECOND = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthenticateFrame:
    """Proves who the client is, by a ticket from `POST /api/ws-ticket`."""

    type: Literal["authenticate"] = "authenticate"
    ticket: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscribeFrame:
    """Asks for a snapshot of a conversation, and for its events from then on."""

    type: Literal["subscribe"] = "subscribe"
    conversation_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsubscribeFrame:
    """Ends a subscription."""

    type: Literal["unsubscribe"] = "unsubscribe"
    conversation_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class PingFrame:
    """Asks for a pong."""

    type: Literal["ping"] = "ping"


ClientFrame = AuthenticateFrame | SubscribeFrame | UnsubscribeFrame | PingFrame
KINDS = ("authenticate", "ping", "subscribe", "unsubscribe")


class ProtocolError(Exception):
    """A recoverable error, which is sent to the client as an `error` frame."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


def read_frame(text: str | None) -> ClientFrame:
    """Parse a frame; raise `ProtocolError` if it is invalid."""
    values = _object(text)
    match values.get("type"):
        case "authenticate":
            return AuthenticateFrame(ticket=_ticket(values.get("ticket")))
        case "subscribe":
            return SubscribeFrame(conversation_id=_id(values.get("conversation_id")))
        case "unsubscribe":
            return UnsubscribeFrame(conversation_id=_id(values.get("conversation_id")))
        case "ping":
            return PingFrame()
    raise ProtocolError("unknown_type", f"The type must be one of: {', '.join(KINDS)}.")


def _object(text: str | None) -> dict[str, Any]:
    if text is None:
        raise ProtocolError("not_text", "Frames must be JSON text.")
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("not_json", "The frame is not valid JSON.") from error
    if not isinstance(values, dict):
        raise ProtocolError("not_an_object", "A frame must be a JSON object.")
    return values


def _id(value: Any) -> UUID:
    try:
        return UUID(value) if isinstance(value, str) else UUID("")
    except ValueError as error:
        raise ProtocolError("invalid_id", "conversation_id must be a conversation ID.") from error


def _ticket(value: Any) -> str:
    if not isinstance(value, str) or not value.isascii() or len(value) > LONGEST_TICKET:
        raise ProtocolError("invalid_ticket", "ticket must come from POST /api/ws-ticket.")
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
