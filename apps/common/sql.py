"""Load long statements from `.sql` files and run them with named parameters.

A file contains one statement with a `:name` for each parameter, psql's notation for variables: `\\set name …` for each
of them, then `\\i file.sql`, runs it there. Here every parameter becomes a `$n` that the server binds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

import psycopg
from django.db import connection
from psycopg.rows import class_row

Row = TypeVar("Row")

# A colon in quotes or comments is not a parameter, and two are a cast.
_TOKEN = re.compile(r"'[^']*'|--[^\n]*|(?<!:):([a-z]\w*)")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement with `$n` placeholders, and its parameters' names in that order."""

    text: str
    parameters: tuple[str, ...]

    def rows(self, row_type: type[Row], values: Mapping[str, Any]) -> list[Row]:
        """Run it in the current transaction; each row becomes a `row_type`, by column names."""
        connection.ensure_connection()
        raw = psycopg.RawCursor(connection.connection, row_factory=class_row(row_type))
        # Django's wrapper translates errors and calls `execute_wrapper`s.
        with connection.make_cursor(raw) as cursor:  # type: ignore[arg-type]  # any cursor of the driver will do
            cursor.execute(self.text, self.arguments(values))
            return cast(list[Row], cursor.fetchall())

    def arguments(self, values: Mapping[str, Any]) -> list[Any]:
        """Return the values in the order of the placeholders."""
        return [values[name] for name in self.parameters]


def sql_file(path: Path, **constants: float) -> Statement:
    """Read a statement; `constants` are inserted into its text, so that the planner knows them."""
    parameters: dict[str, str] = {}
    text = _TOKEN.sub(partial(_replace, constants, parameters), path.read_text())
    return Statement(text, tuple(parameters))


def _replace(constants: Mapping[str, float], parameters: dict[str, str], token: re.Match[str]) -> str:
    name = token[1]
    if name is None:
        return token[0]
    if name in constants:
        value = constants[name]
        # A literal with a decimal point would be `numeric`, which is slower than `float8`.
        return f"{value!r}::float8" if isinstance(value, float) else repr(value)
    return parameters.setdefault(name, f"${len(parameters) + 1}")
