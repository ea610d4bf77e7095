"""The lines of a transcript as a request carries them: parsed by the client, or as text where they are damaged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from apps.conversations.field_checks import BadMessage, kind_of, optional_text

LARGEST_TEXT = 8 * 1024 * 1024


def lines_in(fields: Mapping[str, Any]) -> tuple[bytes, ...]:
    """The lines in `lines` (objects, or texts of damaged lines) or in `text` (the file as it is).

    >>> lines_in({"lines": [{"type": "user"}, "{broken"]}), lines_in({"text": "{}\\n{}"})
    ((b'{"type":"user"}', b'{broken'), (b'{}', b'{}'))
    """
    text = optional_text(fields, "text", LARGEST_TEXT)
    if text is not None:
        return tuple(text.encode().split(b"\n"))
    lines = fields.get("lines")
    if not isinstance(lines, list):
        raise BadMessage("wrong_type", f"lines must be a list, not {kind_of(lines)}")
    return tuple(_text_line(line) if isinstance(line, str) else orjson.dumps(line) for line in lines)


def _text_line(line: str) -> bytes:
    """A damaged line; one of NUL characters alone, which a crash leaves behind, is blank."""
    return line.encode() if line.strip("\ufffd") else b""
