"""Defensive access to JSON from providers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from apps.llm.errors import ModelError

_MAX_TOKENS = 2**31 - 1


def read_object(data: str | bytes) -> Mapping[str, Any]:
    """Parse a JSON object; raises `ModelError` (`malformed`) for anything else."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ModelError("malformed")
    return value


def read_part(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The object under a name; empty if absent. Raises `ModelError` for another type."""
    part = value.get(name)
    if part is None:
        return {}
    if not isinstance(part, dict):
        raise ModelError("malformed")
    return part


def read_text(value: Mapping[str, Any], name: str) -> str:
    """The text under a name; empty if absent. Raises `ModelError` for another type."""
    text = value.get(name)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise ModelError("malformed")
    return text


def read_content(delta: Mapping[str, Any]) -> tuple[str, str]:
    """The text and the reasoning of a delta's content, which is a text or a list of blocks; other blocks have neither.

    >>> read_content({"content": [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Tea"}]})
    ('Tea', 'Hm.')
    """
    content = delta.get("content")
    if not isinstance(content, list):
        return read_text(delta, "content"), ""
    return _texts(content, "text"), _texts(content, "thinking")


def _texts(blocks: list[Any], name: str) -> str:
    """The texts under a name in blocks, some of which have blocks of text again there."""
    found = [block[name] for block in blocks if isinstance(block, dict) and block.get(name) is not None]
    if not all(isinstance(one, str | list) for one in found):
        raise ModelError("malformed")
    return "".join(one if isinstance(one, str) else _texts(one, "text") for one in found)


def is_count(value: object) -> bool:
    """Whether the value is a plausible token count."""
    return type(value) is int and 0 <= value <= _MAX_TOKENS


def read_count(value: Mapping[str, Any], name: str) -> int:
    """The token count under a name; 0 if absent or implausible."""
    count = value.get(name)
    return count if type(count) is int and is_count(count) else 0
