"""Pages of long lists: a keyset, not an offset, so that a page costs the same wherever it lies."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

Row = TypeVar("Row")
Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class Page(Generic[Record]):
    """`next_cursor` names the last record, as the list's order knows it; empty at the end."""

    data: list[Record]
    next_cursor: str | None


def page_of(
    rows: Iterable[Row], limit: int, record: Callable[[Row], Record], cursor: Callable[[Row], str]
) -> Page[Record]:
    """The page from `rows`, which were read one beyond `limit` to know whether more follow."""
    read = list(rows)
    shown = read[:limit]
    following = cursor(shown[-1]) if len(read) > limit else None
    return Page([record(row) for row in shown], following)
