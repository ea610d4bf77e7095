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


def is_count(value: object) -> bool:
    """Whether the value is a plausible token count."""
    return type(value) is int and 0 <= value <= _MAX_TOKENS


def read_count(value: Mapping[str, Any], name: str) -> int:
    """The token count under a name; 0 if absent or implausible."""
    count = value.get(name)
    return count if type(count) is int and is_count(count) else 0
