"""Results of parsing a file: messages, skipped items with the reason, and the position to continue from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from apps.conversations.field_checks import BadMessage, kind_of, optional_text, required_text, shown
from apps.conversations.imports.parts import parts_from
from apps.conversations.limits import LONGEST_CONTENT, LONGEST_EXTERNAL_ID, LONGEST_NAME
from apps.conversations.part_rules import SAME_ROLE
from apps.conversations.provider_messages import in_own_form
from apps.engine.messages.message import Part, Role
from apps.engine.text.normal_form import TextChange

ROLES = tuple(role.value for role in Role)
_FIELDS = frozenset({"role", "content", "name", "created_at", "external_id", "parts"})


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """A valid message. `number` counts as in `Skipped.line`; `unknown` are names of fields that were not read, and
    `changes` what was changed in the texts."""

    role: str
    content: str
    name: str = ""
    created_at: datetime | None = None
    external_id: str | None = None
    number: int = 0
    parts: tuple[Part, ...] = ()
    unknown: tuple[str, ...] = ()
    changes: frozenset[TextChange] = frozenset()


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
    """Return the message that an object with clean texts describes, with the names of fields that mean nothing here."""
    fields = in_own_form(fields)
    role = _role(fields)
    content = optional_text(fields, "content", LONGEST_CONTENT) or ""
    parts = parts_from(fields, role)
    if not parts:
        required_text(fields, "content")
    if not (content.strip() or parts):
        raise BadMessage("empty_content", "content is empty")
    return ReadMessage(
        role=role,
        content=content,
        name=optional_text(fields, "name", LONGEST_NAME) or "",
        created_at=_date(fields.get("created_at")),
        external_id=optional_text(fields, "external_id", LONGEST_EXTERNAL_ID) or None,
        parts=parts,
        unknown=tuple(sorted(set(fields) - _FIELDS)),
    )


def _role(fields: Mapping[str, Any]) -> str:
    sent = required_text(fields, "role")
    role = SAME_ROLE.get(sent, sent)
    if role not in ROLES:
        raise BadMessage("unknown_role", f"{shown(sent)} is not one of {', '.join(ROLES)}")
    return role


def _date(value: object) -> datetime | None:
    """Parse an ISO 8601 date with its time zone; without one it is UTC."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise BadMessage("wrong_type", f"created_at must be an ISO 8601 string, not {kind_of(value)}")
    try:
        read = datetime.fromisoformat(value)
        zoned = read if read.tzinfo else read.replace(tzinfo=UTC)
        # It is stored in UTC, which the first and the last day may not reach.
        zoned.astimezone(UTC)
        return zoned
    except (ValueError, OverflowError):
        raise BadMessage("bad_date", f"created_at is {shown(value)}, which is not an ISO 8601 date") from None
