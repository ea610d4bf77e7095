"""JSON of programs that we cannot correct, as a database can store it."""

from __future__ import annotations

import json
import math
from typing import Any

from apps.engine.json_input.clean_json import CleanJson, clean_json
from apps.engine.json_input.limits import DEEPEST, MOST_NAMES

_DIGITS = 18
_TOO_DEEP = "…"


def lenient_value(text: str) -> Any:
    """Parse JSON; its texts are cleaned, and what is nested too deeply is left out.

    Raises `ValueError` or `RecursionError` for what is no JSON at all.

    >>> lenient_value('["x\\\\u0000y", 1e999]')
    ['x�y', None]
    """
    return lenient_json(text).value


def lenient_json(text: str) -> CleanJson:
    """Parse JSON as `lenient_value` does, and return what was changed in its texts too."""
    value = json.loads(text, parse_int=_whole, parse_float=_number, parse_constant=lambda _: None)
    return clean_json(_bounded(value, 1))


def _whole(digits: str) -> int | str:
    return int(digits) if len(digits) <= _DIGITS else digits


def _number(digits: str) -> float | None:
    value = float(digits)
    return value if math.isfinite(value) else None


def _bounded(value: Any, depth: int) -> Any:
    if not isinstance(value, dict | list):
        return value
    if depth > DEEPEST:
        return _TOO_DEEP
    if isinstance(value, list):
        return [_bounded(item, depth + 1) for item in value]
    return {name: _bounded(item, depth + 1) for name, item in list(value.items())[:MOST_NAMES]}
