"""Pages of an export: how many rows are read in one unit of work, and how large an item may be."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, TypeVar

Row = TypeVar("Row")
Line = dict[str, Any]
PAGE, MOST_CHARACTERS = 200, 1_000_000


def fitting(rows: Iterable[Row], size: Callable[[Row], int]) -> list[Row]:
    """As many rows as one item should have, and one at least."""
    page: list[Row] = []
    room = MOST_CHARACTERS
    for row in rows:
        room -= size(row)
        if page and room < 0:
            break
        page.append(row)
    return page


def date(value: datetime | None) -> str | None:
    return value.isoformat() if value else None


def without_empty(fields: Line) -> Line:
    return {name: value for name, value in fields.items() if value}
