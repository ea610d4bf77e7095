"""The number of rows that PostgreSQL reads for a piece of code, by its statistics."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

Query = tuple[str, Any]


@contextmanager
def recorded_queries() -> Iterator[list[Query]]:
    """Record the SELECT statements inside, including planner settings."""
    queries: list[Query] = []

    def record(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.lstrip(" (\n").upper().startswith("SELECT"):
            queries.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(record):
        yield queries


def rows_read(queries: list[Query]) -> int:
    """Return the rows that the scans of these statements touched, including filtered ones.

    Rows of function scans, such as a list of ids, do not count.
    """
    return sum(_scanned(_plan(sql, params)) for sql, params in queries)


def _plan(sql: str, params: Any) -> dict[str, Any]:
    with connection.cursor() as cursor:
        if "set_config" in sql:
            cursor.execute(sql, params)
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", params)
        (answer,) = cursor.fetchone()
    plans = json.loads(answer) if isinstance(answer, str) else answer
    plan: dict[str, Any] = plans[0]["Plan"]
    return plan


def _scanned(node: dict[str, Any]) -> int:
    own = 0
    if "Relation Name" in node:
        thrown = node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Index Recheck", 0)
        own = int((node["Actual Rows"] + thrown) * node["Actual Loops"])
    return own + sum(_scanned(child) for child in node.get("Plans", ()))
