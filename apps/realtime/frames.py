"""Frames created by a socket itself; event frames arrive serialized from the publisher."""

from __future__ import annotations

from dataclasses import fields
from typing import Any
from uuid import UUID

from apps.context.selectors.conversation.live_snapshot import LiveState
from apps.events import envelopes as events
from apps.events.redis_publisher import as_json

_HEAD = ("conversation_id", "version")


def snapshot_frame(state: LiveState) -> str:
    parts = {field.name: getattr(state, field.name) for field in fields(state) if field.name not in _HEAD}
    return frame("snapshot", conversation_id=state.conversation_id, version=state.version, state=parts)


def version_frame(conversation_id: UUID, version: int) -> str:
    return as_json(events.version_frame(conversation_id, version))


def frame(kind: str, **values: Any) -> str:
    return as_json({"type": kind, **values})
