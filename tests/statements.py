"""The statements that a piece of code runs, those of `.sql` files included."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

SEARCH = "-- Search passages of memories and messages"
"""How the search statement begins."""


@contextmanager
def recorded_statements() -> Iterator[list[str]]:
    """Record the statements inside, of this thread's connection."""
    recorded: list[str] = []

    def record(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        recorded.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(record):
        yield recorded


def searches(recorded: list[str]) -> int:
    """Return how many of the statements are searches."""
    return sum(sql.startswith(SEARCH) for sql in recorded)
