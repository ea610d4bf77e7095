"""Parts of an imported message, in the API's own form."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from apps.conversations.field_checks import BadMessage, listed, optional_text, required_text
from apps.conversations.limits import LONGEST_CONTENT, LONGEST_NAME
from apps.conversations.part_rules import (
    FIELDS,
    LONGEST_CALL_ID,
    LONGEST_SIGNATURE,
    LONGEST_URL,
    MOST_PARTS,
    MOST_REASONING_TOKENS,
    NEEDED,
    ROLES,
)
from apps.engine.messages.message import Part, PartKind

_LONGEST: Mapping[str, int] = MappingProxyType(
    {
        **dict.fromkeys(("text", "summary"), LONGEST_CONTENT),
        **dict.fromkeys(("name", "media_type"), LONGEST_NAME),
        "call_id": LONGEST_CALL_ID,
        "url": LONGEST_URL,
        "signature": LONGEST_SIGNATURE,
    }
)


def parts_from(fields: Mapping[str, Any], role: str) -> tuple[Part, ...]:
    """The parts of a message, as far as one of its role may have them."""
    parts = [_part(part) for part in listed(fields, "parts")]
    if len(parts) > MOST_PARTS:
        raise BadMessage("too_many_parts", f"{len(parts)} parts; the limit is {MOST_PARTS}")
    for part in parts:
        if role not in ROLES[part.kind.value]:
            raise BadMessage("not_in_this_role", f"a message of the role {role} has no {part.kind.value}")
    return tuple(parts)


def _part(fields: Mapping[str, Any]) -> Part:
    kind = required_text(fields, "kind")
    if kind not in FIELDS:
        raise BadMessage("unknown_part", f"a part is one of {', '.join(FIELDS)}")
    for name in NEEDED[kind]:
        required_text(fields, name)
    if foreign := set(fields) - FIELDS[kind] - {"kind"}:
        raise BadMessage("unknown_part_field", f"a {kind} has no {sorted(foreign)[0]}")
    texts = {name: optional_text(fields, name, longest) or "" for name, longest in _LONGEST.items()}
    return Part(
        PartKind(kind),
        text=texts["text"],
        call_id=texts["call_id"],
        name=texts["name"],
        summary=texts["summary"],
        tokens=_tokens(fields.get("tokens", 0)),
        url=texts["url"],
        media_type=texts["media_type"],
        signature=texts["signature"],
        is_error=_flag(fields, "is_error"),
        is_redacted=_flag(fields, "is_redacted"),
    )


def _flag(fields: Mapping[str, Any], name: str) -> bool:
    value = fields.get(name, False)
    if not isinstance(value, bool):
        raise BadMessage("wrong_type", f"{name} must be true or false")
    return value


def _tokens(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_REASONING_TOKENS:
        raise BadMessage("wrong_type", f"tokens must be a number up to {MOST_REASONING_TOKENS}")
    return value
