"""Frames created by a socket itself, one dataclass each; event frames arrive serialized from the publisher.

A field that is None is absent from the frame. `apps/realtime/schema.py` describes them all to the page.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal
from uuid import UUID

from apps.context.selectors.conversation.live_snapshot import LiveState
from apps.events import envelopes as events
from apps.events.envelopes import HEAD, VersionFrame, frame_fields
from apps.events.redis_publisher import as_json


@dataclass(frozen=True, slots=True, kw_only=True)
class WelcomeFrame:
    """The socket is authenticated."""

    type: Literal["welcome"] = "welcome"
    user_id: UUID
    workspace_id: UUID
    heartbeat_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotFrame:
    """The state of a conversation at `version`; it answers a subscription."""

    type: Literal["snapshot"] = "snapshot"
    conversation_id: UUID
    version: int
    state: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsubscribedFrame:
    """The subscription has ended, as the client asked."""

    type: Literal["unsubscribed"] = "unsubscribed"
    conversation_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokedFrame:
    """The person no longer has access to the conversation; the subscription has ended."""

    type: Literal["revoked"] = "revoked"
    conversation_id: UUID
    code: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PongFrame:
    """The answer to a ping."""

    type: Literal["pong"] = "pong"


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorFrame:
    """A client frame was refused. `unavailable` is a temporary failure; `detail` is a sentence for developers."""

    type: Literal["error"] = "error"
    code: str
    detail: str | None = None
    conversation_id: UUID | None = None


OwnFrame = WelcomeFrame | SnapshotFrame | UnsubscribedFrame | RevokedFrame | PongFrame | ErrorFrame
ServerFrame = OwnFrame | VersionFrame


def snapshot_frame(state: LiveState) -> str:
    parts = {field.name: getattr(state, field.name) for field in fields(state) if field.name not in HEAD}
    return frame(SnapshotFrame(conversation_id=state.conversation_id, version=state.version, state=parts))


def version_frame(conversation_id: UUID, version: int) -> str:
    return as_json(events.version_frame(conversation_id, version))


def frame(value: ServerFrame) -> str:
    return as_json(frame_fields(value))
