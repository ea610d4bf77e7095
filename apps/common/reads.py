"""Reads by SQL written by hand, for the few statements that every request and every turn runs.

Django compiles a queryset each time it is used, which costs several times what PostgreSQL needs to answer it. A
constant statement costs nothing to build, and psycopg prepares it by its text. All else is read by ordinary querysets.
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
    """Instances of a model, by a statement that selects `columns_of(model, …)` and nothing else."""
    return [model_from_row(model, row) for row in fetch_rows(statement, **values)]


def fetch_model(model: type[Row], statement: str, /, **values: Any) -> Row | None:
    """The first instance, or None."""
    return next(iter(fetch_models(model, statement, **values)), None)


def fetch_rows(statement: str, /, **values: Any) -> list[tuple[Any, ...]]:
    """Rows as psycopg gives them. `%(workspace)s` is the unit's workspace; raises `NoWorkspace` outside of one."""
    with connection.cursor() as cursor:
        cursor.execute(statement, {"workspace": _workspace_id(), **values})
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def fetch_row(statement: str, /, **values: Any) -> tuple[Any, ...] | None:
    """The first row, or None."""
    return next(iter(fetch_rows(statement, **values)), None)


def model_from_row(model: type[Row], row: Sequence[Any]) -> Row:
    """An instance from the values of all its columns, in the order of `columns_of`."""
    names, converters = _loading(model)
    values = list(row)
    for position, convert in converters:
        values[position] = convert(values[position], None, connection)
    return model.from_db(connection.alias, names, values)


def _workspace_id() -> UUID:
    """An operator's unit has no workspace of its own: a statement for one workspace would silently find nothing."""
    workspace_id: UUID | None = current_workspace_id()
    if workspace_id is None:
        raise NoWorkspace("this read is for one workspace: open `with workspace(id):`")
    return workspace_id


@cache
def _loading(model: type[models.Model]) -> tuple[list[str], list[tuple[int, Any]]]:
    """The attribute of each column, and what converts those that PostgreSQL does not give as Python has them."""
    fields = columns(model)
    converters = [(at, field.from_db_value) for at, field in enumerate(fields) if hasattr(field, "from_db_value")]
    return [field.attname for field in fields], converters
