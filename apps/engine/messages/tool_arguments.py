"""A tool call's arguments as an API accepts them: always a JSON object, whatever the model that made the call wrote."""

from __future__ import annotations

import json
from typing import Any

_DEEPEST = 100
# Numbers can grow when serialized again (1E9); a call's frame in a pack allows for this much.
_MOST_GROWTH = 16


def arguments_object(text: str) -> dict[str, Any]:
    """Parse the text as a JSON object, or wrap it in one.

    >>> arguments_object('{"path": "a.py"}'), arguments_object(""), arguments_object("[1")
    ({'path': 'a.py'}, {}, {'arguments': '[1'})
    """
    parsed = _parsed(text)
    return {"arguments": text} if parsed is None else parsed


def arguments_text(text: str) -> str:
    """The text unchanged if it is a JSON object, else an object that wraps it."""
    return (text if text.strip() else "{}") if _parsed(text) is not None else compact({"arguments": text})


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _parsed(text: str) -> dict[str, Any] | None:
    """None unless it is an object that can be serialized again: no NaN, no lone surrogate, not too deep."""
    if not text.strip():
        return {}
    try:
        value = json.loads(text)
        written = compact(value)
        written.encode()
    except (ValueError, RecursionError):
        return None
    sound = isinstance(value, dict) and len(written) <= len(text) + _MOST_GROWTH and not _is_deeper(value, _DEEPEST)
    return value if sound else None


def _is_deeper(value: Any, levels: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(levels == 0 or _is_deeper(item, levels - 1) for item in inner)
