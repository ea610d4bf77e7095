"""Limits of JSON from outside: the same for request bodies and imported files."""

from __future__ import annotations

from typing import Any

DEEPEST = 64
MOST_NAMES = 1_000


def is_too_deep(value: Any) -> bool:
    """Return whether containers are nested more than `DEEPEST` levels.

    >>> is_too_deep({"a": [1]})
    False
    """
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for container in level for inner in _items(container)]
    return any(isinstance(inner, dict | list) for inner in level)


def _items(value: Any) -> Any:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
