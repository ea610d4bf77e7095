"""Reading what a provider sent: JSON of which nothing is certain but that it came."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from apps.llm.errors import ModelError

_MOST_TOKENS = 2**31 - 1


def read_object(data: str | bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ModelError("malformed")
    return value


def read_part(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The object of that name; empty where there is none."""
    part = value.get(name)
    if part is None:
        return {}
    if not isinstance(part, dict):
        raise ModelError("malformed")
    return part


def read_text(value: Mapping[str, Any], name: str) -> str:
    """The text of that name; empty where there is none."""
    text = value.get(name)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise ModelError("malformed")
    return text


def is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= _MOST_TOKENS


def read_count(value: Mapping[str, Any], name: str) -> int:
    """The number of that name; 0 where there is none that can be one."""
    count = value.get(name)
    return count if type(count) is int and is_count(count) else 0
