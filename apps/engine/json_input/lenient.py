"""JSON of programs that we cannot correct, as a database can store it."""

from __future__ import annotations

import json
import math
from typing import Any

from apps.engine.json_input.limits import DEEPEST, MOST_NAMES
from apps.engine.messages.agent_text import storable

_DIGITS = 18
_TOO_DEEP = "…"


def lenient_value(text: str) -> Any:
    """Parse JSON; without NUL characters and unpaired surrogates, and without what is nested too deeply.

    Raises `ValueError` or `RecursionError` for what is no JSON at all.

    >>> lenient_value('["x\\\\u0000y", 1e999]')
    ['xy', None]
    """
    value = json.loads(text, parse_int=_whole, parse_float=_number, parse_constant=lambda _: None)
    return _storable(value, 1)


def _whole(digits: str) -> int | str:
    return int(digits) if len(digits) <= _DIGITS else digits


def _number(digits: str) -> float | None:
    value = float(digits)
    return value if math.isfinite(value) else None


def _storable(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return storable(value)
    if not isinstance(value, dict | list):
        return value
    if depth > DEEPEST:
        return _TOO_DEEP
    if isinstance(value, list):
        return [_storable(item, depth + 1) for item in value]
    named = list(value.items())[:MOST_NAMES]
    return {storable(name): _storable(item, depth + 1) for name, item in named}
