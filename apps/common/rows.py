"""Storing one row that every turn stores: Django's fields, and a statement that is put together once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from django.db import DatabaseError, connection, models
from django.db.models.expressions import DatabaseDefault

Fields = Sequence["models.Field[Any, Any]"]


def row_insert(row: models.Model) -> None:
    """Store a new row, none of whose columns is left to the database. No signals, as with `bulk_create`."""
    statement, fields = _insertion(type(row))
    if left := [field.name for field in fields if isinstance(getattr(row, field.attname), DatabaseDefault)]:
        raise TypeError(f"a new {row._meta.verbose_name} leaves to the database: {', '.join(left)}")
    _execute(statement, values_of(row, fields, add=True))
    row._state.adding, row._state.db = False, connection.alias


def row_update(row: models.Model, names: Iterable[str]) -> None:
    """Store these fields of a row that is there. No signals, as with `update`."""
    statement, fields = _update(type(row), tuple(names))
    if not _execute(statement, [*values_of(row, fields, add=False), row.pk]):
        raise DatabaseError(f"there is no {row} to be stored here")


def values_of(row: models.Model, fields: Fields, *, add: bool) -> list[Any]:
    """As the database takes them; times that tell of the change itself become now."""
    return [field.get_db_prep_save(field.pre_save(row, add=add), connection) for field in fields]


def fields_of(model: type[models.Model], names: Iterable[str]) -> Fields:
    return [model._meta.get_field(name) for name in names]  # type: ignore[misc]  # all of them are columns


@cache
def _insertion(model: type[models.Model]) -> tuple[str, Fields]:
    fields = model._meta.concrete_fields
    columns = ", ".join(f'"{field.column}"' for field in fields)
    places = ", ".join(["%s"] * len(fields))
    return f'INSERT INTO "{model._meta.db_table}" ({columns}) VALUES ({places})', fields  # noqa: S608  # names alone


@cache
def _update(model: type[models.Model], names: Sequence[str]) -> tuple[str, Fields]:
    fields = fields_of(model, names)
    told = ", ".join(f'"{field.column}" = %s' for field in fields)
    return f'UPDATE "{model._meta.db_table}" SET {told} WHERE id = %s', fields  # noqa: S608  # names alone


def _execute(statement: str, values: Sequence[Any]) -> bool:
    """Whether it concerned a row."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return bool(cursor.rowcount)
