"""Keyset pagination of long lists, so that every page costs the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

Row = TypeVar("Row")
Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class Page(Generic[Record]):
    """A page. `next_cursor` is the sort key of the last record; empty on the last page."""

    data: list[Record]
    next_cursor: str | None


def page_of(
    rows: Iterable[Row], limit: int, record: Callable[[Row], Record], cursor: Callable[[Row], str]
) -> Page[Record]:
    """Return a page of `rows`, which contain one row beyond `limit` if more follow."""
    read = list(rows)
    shown = read[:limit]
    following = cursor(shown[-1]) if len(read) > limit else None
    return Page([record(row) for row in shown], following)
