"""Parts of an imported message: in the API's own form, or as tool calls and results of OpenAI's chat messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from apps.conversations.imports.field_checks import BadMessage, optional_text, required_text
from apps.conversations.limits import LONGEST_CONTENT, LONGEST_NAME
from apps.conversations.part_rules import (
    FIELDS,
    LONGEST_CALL_ID,
    MOST_PARTS,
    MOST_REASONING_TOKENS,
    NEEDED,
    ROLES,
)
from apps.engine.messages.message import Part, PartKind

PART_FIELDS = frozenset({"parts", "tool_calls", "tool_call_id"})


def parts_from(fields: Mapping[str, Any], role: str, content: str) -> tuple[tuple[Part, ...], str]:
    """Return the parts and the rest of the content: a tool's output belongs to its part."""
    parts = [_part(part) for part in _listed(fields, "parts")]
    parts += [_call(call) for call in _listed(fields, "tool_calls")]
    if call_id := optional_text(fields, "tool_call_id", LONGEST_CALL_ID):
        parts.append(Part(PartKind.TOOL_RESULT, text=content, call_id=call_id))
        content = ""
    if len(parts) > MOST_PARTS:
        raise BadMessage("too_many_parts", f"{len(parts)} parts; the limit is {MOST_PARTS}")
    for part in parts:
        if role not in ROLES[part.kind.value]:
            raise BadMessage("not_in_this_role", f"a message of the role {role} has no {part.kind.value}")
    return tuple(parts), content


def _listed(fields: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    listed = fields.get(name)
    if listed is None:
        return
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        raise BadMessage("wrong_type", f"{name} must be a list of objects")
    yield from listed


def _part(fields: Mapping[str, Any]) -> Part:
    kind = required_text(fields, "kind")
    if kind not in FIELDS:
        raise BadMessage("unknown_part", f"a part is one of {', '.join(FIELDS)}")
    for name in NEEDED[kind]:
        required_text(fields, name)
    if foreign := set(fields) - FIELDS[kind] - {"kind"}:
        raise BadMessage("unknown_part_field", f"a {kind} has no {sorted(foreign)[0]}")
    return Part(
        PartKind(kind),
        text=optional_text(fields, "text", LONGEST_CONTENT) or "",
        call_id=optional_text(fields, "call_id", LONGEST_CALL_ID) or "",
        name=optional_text(fields, "name", LONGEST_NAME) or "",
        summary=optional_text(fields, "summary", LONGEST_CONTENT) or "",
        tokens=_tokens(fields.get("tokens", 0)),
    )


def _call(fields: Mapping[str, Any]) -> Part:
    function = fields.get("function")
    if not isinstance(function, dict):
        raise BadMessage("wrong_type", "a tool call must have a function")
    return Part(
        PartKind.TOOL_CALL,
        text=optional_text(function, "arguments", LONGEST_CONTENT) or "",
        call_id=required_text(fields, "id")[:LONGEST_CALL_ID],
        name=required_text(function, "name")[:LONGEST_NAME],
    )


def _tokens(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_REASONING_TOKENS:
        raise BadMessage("wrong_type", f"tokens must be a number up to {MOST_REASONING_TOKENS}")
    return value
