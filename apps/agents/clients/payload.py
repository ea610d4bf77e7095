"""Tolerant reading of payloads: an absent or mistyped optional value is an empty one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from apps.agents.clients.event import PayloadError
from apps.engine.messages.tool_digest import json_text

LONGEST_ID = 200
_LONGEST_KEY_PART = 80


@dataclass(frozen=True, slots=True)
class Payload:
    """A payload by the names of its values; the first name that has a value counts."""

    values: Mapping[str, Any]

    def text(self, *names: str) -> str:
        return next((value for name in names if isinstance(value := self.values.get(name), str) and value), "")

    def value(self, *names: str) -> Any:
        return next((self.values[name] for name in names if self.values.get(name) is not None), None)

    def inner(self, name: str) -> Payload:
        value = self.values.get(name)
        return Payload(value if isinstance(value, Mapping) else {})

    def is_true(self, name: str) -> bool:
        return self.values.get(name) is True

    def event_name(self, *names: str) -> str:
        """Return the event's name; raise `PayloadError` without one."""
        name = self.text(*names)
        if not name:
            raise PayloadError(f"/{names[0]}", "The name of the event is missing.")
        return name

    def session_id(self, *names: str) -> str:
        """Return the agent's id of the session; raise `PayloadError` without one."""
        session_id = self.text(*names).strip()
        if not session_id or len(session_id) > LONGEST_ID:
            raise PayloadError(f"/{names[0]}", f"The session's id must have 1 to {LONGEST_ID} characters.")
        return session_id

    def time(self, *names: str) -> datetime | None:
        """An ISO time, or milliseconds since 1970."""
        value = self.value(*names)
        try:
            if isinstance(value, int | float) and not isinstance(value, bool):
                return datetime.fromtimestamp(value / 1_000, UTC)
            at = datetime.fromisoformat(value) if isinstance(value, str) else None
            return at.astimezone(UTC) if at and at.tzinfo else at.replace(tzinfo=UTC) if at else None
        except (ValueError, OverflowError, OSError):
            return None


def key_of(kind: str, *ids: str) -> str:
    """A key of own ids; empty if the most specific one, the last, is missing.

    >>> key_of("tool", "t1"), key_of("tool", "")
    ('tool:t1', '')
    """
    if not ids or not ids[-1]:
        return ""
    return ":".join([kind, *(_short(one) for one in ids if one)])


def tool_key(tool_use_id: str) -> str:
    """The key of a tool's run by the agent's id of it."""
    return key_of("tool", tool_use_id)


def digest_key(kind: str, *values: Any) -> str:
    """A key made of content, for events without an id of their own."""
    return f"{kind}:{_digest(json_text(list(values)))}"


def _short(one: str) -> str:
    return one if len(one) <= _LONGEST_KEY_PART else _digest(one)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
