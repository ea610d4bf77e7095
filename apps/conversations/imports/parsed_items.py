"""Results of parsing a file: messages, skipped items with the reason, and the position to continue from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from apps.conversations.limits import LONGEST_CONTENT, LONGEST_EXTERNAL_ID, LONGEST_NAME
from apps.engine.messages.message import Role

ROLES = tuple(role.value for role in Role)
_SURROGATE = re.compile("[\ud800-\udfff]")
_SHOWN = 60


class BadMessage(Exception):
    """The reason why a message cannot be stored: `code` is for programs, `detail` for people."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """A valid message. `number` counts as in `Skipped.line`."""

    role: str
    content: str
    name: str = ""
    created_at: datetime | None = None
    external_id: str | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class Skipped:
    """A skipped item. `line` is its line in the file; in a file without lines, the message's number."""

    line: int
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Place:
    """A position to resume from: a byte and the lines before it, or a sample and the messages before it."""

    major: int = 0
    minor: int = 0


@dataclass(frozen=True, slots=True)
class ConversationSeed:
    """The identity of the conversation that messages belong to, the same in every import."""

    external_id: str
    title: str


@dataclass(frozen=True, slots=True)
class Item:
    """One item of the file, and the position after it. Without a seed it belongs to no conversation."""

    found: ReadMessage | Skipped
    after: Place
    seed: ConversationSeed | None = None


def message_from(fields: Mapping[str, Any]) -> ReadMessage:
    """Return the message that an object describes; unknown fields are ignored."""
    role = required_text(fields, "role")
    if role not in ROLES:
        raise BadMessage("unknown_role", f"{shown(role)} is not one of {', '.join(ROLES)}")
    content = required_text(fields, "content")
    if not content.strip():
        raise BadMessage("empty_content", "there is nothing in content")
    if len(content) > LONGEST_CONTENT:
        raise BadMessage("too_long", f"content has {len(content)} characters; {LONGEST_CONTENT} are possible")
    return ReadMessage(
        role=role,
        content=content,
        name=optional_text(fields, "name", LONGEST_NAME) or "",
        created_at=_date(fields.get("created_at")),
        external_id=optional_text(fields, "external_id", LONGEST_EXTERNAL_ID) or None,
    )


def required_text(fields: Mapping[str, Any], name: str) -> str:
    if name not in fields:
        raise BadMessage("missing_field", f"there is no {name}")
    return _storable(name, fields[name])


def optional_text(fields: Mapping[str, Any], name: str, longest: int) -> str | None:
    value = fields.get(name)
    if value is None:
        return None
    if len(text := _storable(name, value)) > longest:
        raise BadMessage("too_long", f"{name} has {len(text)} characters; {longest} are possible")
    return text


def shown(value: object) -> str:
    """Format a value for a report: short, and in printable ASCII."""
    text = ascii(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _storable(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise BadMessage("wrong_type", f"{name} must be a text, not {_kind(value)}")
    if "\x00" in value:
        raise BadMessage("nul_character", f"{name} holds a NUL character")
    if _SURROGATE.search(value):
        raise BadMessage("lone_surrogate", f"{name} holds half of a surrogate pair")
    return value


def _kind(value: object) -> str:
    kinds = {dict: "an object", list: "a list", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")


def _date(value: object) -> datetime | None:
    """Parse an ISO 8601 date; without a time zone it is UTC."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise BadMessage("wrong_type", f"created_at must be a text in ISO 8601, not {_kind(value)}")
    try:
        read = datetime.fromisoformat(value)
        return (read if read.tzinfo else read.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadMessage("bad_date", f"created_at is {shown(value)}, which is no date in ISO 8601") from None
