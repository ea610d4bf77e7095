"""Shorten an event before its secrets are searched, so that a hook ends in time whatever an agent reports."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from continuity_client.hook.redaction import LONGEST_TEXT, cut, without_keys, without_private, without_shared_parts

MOST_BYTES, MOST_VALUES = 900_000, 10_000
DEEPEST = 50
SKELETON_TEXT, SKELETON_ENTRIES, SKELETON_INNER_ENTRIES = 300, 50, 10


class Limits(NamedTuple):
    """The most items of a list or an object, and characters of a text."""

    items: int
    text: int


LIMITS = (
    Limits(5_000, LONGEST_TEXT),
    Limits(2_000, 50_000),
    Limits(2_000, 20_000),
    Limits(1_000, 5_000),
    Limits(300, 1_000),
    Limits(50, 500),
    Limits(15, 300),
)


def short_forms(payload: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The event, shorter and shorter, where it can be recorded in time; at last its skeleton."""
    if _mentions_private(payload):
        payload = _without_shared_parts(payload)
    for limits in LIMITS:
        short = shortened(payload, limits)
        if _values_in(short) <= MOST_VALUES and len(json.dumps(short)) <= MOST_BYTES:
            yield short
    yield skeleton(payload)


def shortened(value: Any, limits: Limits, depth: int = 0) -> Any:
    """The value with the beginning and the end of long lists, objects and texts.

    >>> shortened([1, 2, 3, 4, 5, 6], Limits(4, 100))
    [1, 2, 3, '[2 items omitted]', 6]
    """
    if isinstance(value, str):
        return value if len(value) <= limits.text else cut(_without_private_parts(value), limits.text)
    if depth == DEEPEST and isinstance(value, (dict, list)):
        return _sized(value)
    if isinstance(value, list):
        items = value
        if len(value) > limits.items:
            head, tail = _ends(limits.items)
            items = [*value[:head], f"[{len(value) - head - tail} items omitted]", *value[len(value) - tail :]]
        return [shortened(item, limits, depth + 1) for item in items]
    if isinstance(value, dict):
        return {name: shortened(inner, limits, depth + 1) for name, inner in _entries(value, limits.items)}
    return value


def skeleton(payload: dict[str, Any]) -> dict[str, Any]:
    """Ids, names and short texts of an event and of the objects in it, and the sizes of all else.

    >>> skeleton({"session_id": "s", "input": {"id": 1, "lines": ["a", "b"]}})
    {'session_id': 's', 'input': {'id': 1, 'lines': '[2 items omitted]'}}
    """
    return {
        name: {inner: _sized(one) for inner, one in _entries(value, SKELETON_INNER_ENTRIES)}
        if isinstance(value, dict)
        else _sized(value)
        for name, value in _entries(payload, SKELETON_ENTRIES)
    }


def _mentions_private(payload: dict[str, Any]) -> bool:
    try:
        return "private" in json.dumps(payload).lower()
    except RecursionError:
        return True


def _without_shared_parts(value: Any, depth: int = 0) -> Any:
    """The value without private parts over several texts, before a tag is cut off that belongs to another text's."""
    if depth == DEEPEST:
        return value
    if isinstance(value, list):
        return [_without_shared_parts(item, depth + 1) for item in without_shared_parts(value)]
    if isinstance(value, dict):
        return {name: _without_shared_parts(inner, depth + 1) for name, inner in value.items()}
    return value


def _without_private_parts(text: str) -> str:
    return without_keys(without_private(text)) if "private" in text.lower() else text


def _ends(most: int) -> tuple[int, int]:
    return most - most // 4, most // 4


def _entries(value: dict[str, Any], most: int) -> list[tuple[str, Any]]:
    entries = list(value.items())
    if len(entries) <= most:
        return entries
    head, tail = _ends(most)
    return [*entries[:head], ("omitted", f"{len(entries) - most} entries"), *entries[len(entries) - tail :]]


def _sized(value: Any) -> Any:
    """A short value; of another one its size."""
    if isinstance(value, str):
        return value if len(value) <= SKELETON_TEXT else f"[{len(value)} characters omitted]"
    if isinstance(value, (dict, list)):
        return f"[{len(value)} items omitted]"
    return value


def _values_in(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(_values_in, value.values()))
    return sum(map(_values_in, value)) if isinstance(value, list) else 1
