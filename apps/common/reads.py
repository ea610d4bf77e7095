"""Reads with hand-written SQL, for the few statements that every request and every turn runs.

Django compiles a queryset each time it is used, which costs several times what PostgreSQL needs to answer it. A
constant statement costs nothing to build, and psycopg prepares it by its text. Everything else uses querysets.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection, models

from apps.common.models import columns
from apps.common.tenancy import NoWorkspace, current_workspace_id

Row = TypeVar("Row", bound=models.Model)


def fetch_models(model: type[Row], statement: str, /, **values: Any) -> list[Row]:
    """Return instances of a model, from a statement that selects exactly `columns_of(model, …)`."""
    return [model_from_row(model, row) for row in fetch_rows(statement, **values)]


def fetch_model(model: type[Row], statement: str, /, **values: Any) -> Row | None:
    """Return the first instance, or None."""
    return next(iter(fetch_models(model, statement, **values)), None)


def fetch_rows(statement: str, /, **values: Any) -> list[tuple[Any, ...]]:
    """Return rows as psycopg does. `%(workspace)s` is the current workspace; `NoWorkspace` outside a unit of work."""
    with connection.cursor() as cursor:
        cursor.execute(statement, {"workspace": _workspace_id(), **values})
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def fetch_row(statement: str, /, **values: Any) -> tuple[Any, ...] | None:
    """Return the first row, or None."""
    return next(iter(fetch_rows(statement, **values)), None)


def model_from_row(model: type[Row], row: Sequence[Any]) -> Row:
    """Return an instance from the values of all its columns, in the order of `columns_of`."""
    names, converters = _loading(model)
    values = list(row)
    for position, convert in converters:
        values[position] = convert(values[position], None, connection)
    return model.from_db(connection.alias, names, values)


def _workspace_id() -> UUID:
    """Return the current workspace; refuse in an operator's unit, where a workspace's statement would find nothing."""
    workspace_id: UUID | None = current_workspace_id()
    if workspace_id is None:
        raise NoWorkspace("this read is for one workspace: open `with workspace(id):`")
    return workspace_id


@cache
def _loading(model: type[models.Model]) -> tuple[list[str], list[tuple[int, Any]]]:
    """Return the attribute of each column, and the converters of columns whose Python type differs."""
    fields = columns(model)
    converters = [(at, field.from_db_value) for at, field in enumerate(fields) if hasattr(field, "from_db_value")]
    return [field.attname for field in fields], converters
