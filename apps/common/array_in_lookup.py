"""The lookup `…__in` with a list as one array parameter.

One prepared statement serves lists of every length, and the server's limit of 65,535 parameters is never reached.
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
    """Extends Django's lookup; subqueries, and lists that contain expressions, are unchanged."""

    def process_rhs(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        told, values = super().process_rhs(compiler, connection)  # type: ignore[misc]  # Django's lookup, the next base class
        are_values = set(told.strip("()").split(", ")) == {_ONE}
        return (_ONE, [list(values)]) if are_values else (told, values)

    def get_rhs_op(self, connection: BaseDatabaseWrapper, rhs: str) -> str:
        return f"= ANY({rhs})" if rhs == _ONE else f"IN {rhs}"


class AnyOf(_AsArray, In):
    pass


class RelatedAnyOf(_AsArray, RelatedIn):
    pass


def lookups_register() -> None:
    """Register the lookups for every field of every model."""
    Field.register_lookup(AnyOf)
    ForeignObject.register_lookup(RelatedAnyOf)
