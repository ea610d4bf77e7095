"""Questions of every request: built and compiled once in the life of a process, asked again with other values.

Django makes a queryset and its SQL anew each time, which takes longer than PostgreSQL takes to answer it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import wraps
from random import randrange
from types import MappingProxyType
from typing import Any, Generic, TypeVar, TypeVarTuple, get_args, get_origin, get_type_hints
from uuid import UUID, uuid4

from django.db import connections
from django.db.models import QuerySet
from django.db.models.sql.compiler import SQLCompiler

from apps.common.tenancy import Scope, scope_or_none, scoped_as

Values = TypeVarTuple("Values")
Row = TypeVar("Row")

# What stands for a value while its statement is made: no two are alike, and none occurs by itself.
_STAND_INS: Mapping[type, Callable[[], Any]] = MappingProxyType(
    {UUID: uuid4, int: lambda: randrange(1 << 30, 1 << 31), str: lambda: uuid4().hex}  # noqa: S311  # no secret
)


def kept(ask: Callable[[*Values], QuerySet[Any, Row]]) -> Callable[[*Values], list[Row]]:
    """The rows that `ask` asks for, each time with other values: of its parameters' types, and never None.

    All that may differ from one time to the next must be among the parameters; what `ask` reads beside them stays as it
    was at first, but for the unit's workspace. How many rows are wanted is no value, but part of the statement.
    """
    known: dict[str, _Statement[Row]] = {}

    @wraps(ask)
    def answer(*values: *Values) -> list[Row]:
        scope = scope_or_none()
        place = "outside" if scope is None else "every" if scope.workspace_id is None else "one"
        if place not in known:
            known[place] = _made(ask, scope)
        return known[place].rows(scope, values)

    return answer


def first(rows: Sequence[Row]) -> Row | None:
    """The only one, or none."""
    return rows[0] if rows else None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a value stands among a statement's parameters, and as what."""

    at: int
    value: int
    kind: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class _Statement(Generic[Row]):
    """`rows_of` the queryset as it was first asked; the first value is the workspace, then come `takes` others."""

    rows_of: QuerySet[Any, Row]
    compiler: SQLCompiler
    converters: Any
    text: str
    constants: Sequence[Any]
    takes: int
    places: Sequence[_Place]

    def rows(self, scope: Scope | None, values: Sequence[Any]) -> list[Row]:
        if len(values) != self.takes:
            raise TypeError(f"{self.takes} values are asked for, not {len(values)}")
        told, parameters = (scope.workspace_id if scope else None, *values), list(self.constants)
        for place in self.places:
            parameters[place.at] = place.kind(told[place.value])
        asked = self.rows_of.all()
        vars(asked.query)["get_compiler"] = lambda *_, **__: self._ready(tuple(parameters))
        return list(asked)

    def _ready(self, parameters: tuple[Any, ...]) -> SQLCompiler:
        """The compiler as it was after its work, on this thread's connection."""
        ready = copy.copy(self.compiler)
        vars(ready).update(
            connection=connections[self.rows_of.db],
            as_sql=lambda **_: (self.text, parameters),
            get_converters=lambda _: self.converters,
        )
        return ready


def _made(ask: Callable[..., QuerySet[Any, Row]], scope: Scope | None) -> _Statement[Row]:
    workspace_id = uuid4()
    stand_ins = [_stand_in(hint) for name, hint in get_type_hints(ask).items() if name != "return"]
    with scoped_as(Scope(workspace_id)) if scope and scope.workspace_id else nullcontext():
        rows = ask(*stand_ins)
        compiler = rows.query.get_compiler(using=rows.db)
        text, parameters = compiler.as_sql()
    places = tuple(_places([workspace_id, *stand_ins], parameters))
    if missing := set(range(1, len(stand_ins) + 1)) - {place.value for place in places}:
        raise TypeError(f"{ask.__qualname__} does not ask for its parameters {sorted(missing)}")
    converters = compiler.get_converters([column for column, *_ in compiler.select])
    # A thread's connection must not live as long as the process.
    vars(compiler)["connection"] = None
    return _Statement(rows, compiler, converters, text, parameters, len(stand_ins), places)


def _places(stand_ins: Sequence[Any], parameters: Sequence[Any]) -> list[_Place]:
    """Django gives some numbers a type of PostgreSQL's."""
    return [
        _Place(at, value, type(parameter)) if type(parameter) is not type(stand_in) else _Place(at, value, _as_it_is)
        for at, parameter in enumerate(parameters)
        for value, stand_in in enumerate(stand_ins)
        if parameter == stand_in
    ]


def _as_it_is(value: Any) -> Any:
    return value


def _stand_in(hint: Any) -> Any:
    if get_origin(hint) is list:
        return [_stand_in(get_args(hint)[0])]
    return _STAND_INS[hint]()
