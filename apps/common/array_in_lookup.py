"""`…__in` a list as one array: one parameter however many values there are.

So one prepared statement serves lists of every length, and none has more parameters than the server takes (65,535).
"""

from __future__ import annotations

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, ForeignObject
from django.db.models.fields.related_lookups import RelatedIn
from django.db.models.lookups import In
from django.db.models.sql.compiler import SQLCompiler

_ONE = "%s"


class _AsArray:
    """Beside Django's own lookup; subqueries, and lists with expressions in them, stay as they are."""

    def process_rhs(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        told, values = super().process_rhs(compiler, connection)  # type: ignore[misc]  # Django's, which comes next
        are_values = set(told.strip("()").split(", ")) == {_ONE}
        return (_ONE, [list(values)]) if are_values else (told, values)

    def get_rhs_op(self, connection: BaseDatabaseWrapper, rhs: str) -> str:
        return f"= ANY({rhs})" if rhs == _ONE else f"IN {rhs}"


class AnyOf(_AsArray, In):
    pass


class RelatedAnyOf(_AsArray, RelatedIn):
    pass


def lookups_register() -> None:
    """For every field of every model."""
    Field.register_lookup(AnyOf)
    ForeignObject.register_lookup(RelatedAnyOf)
