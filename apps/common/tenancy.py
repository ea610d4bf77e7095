"""The unit of work: outside one, tenant tables are closed, in Python by their manager and in the database.

Every unit is one short transaction. `SET LOCAL` ends with it, so that a pooled connection never carries a workspace
to the next request.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction

# The tables that are not a workspace's: they hold ids, hashes and times, never content.
NOT_TENANT_TABLES = frozenset(
    {"accounts.User", "accounts.Workspace", "accounts.Membership", "accounts.ApiKey", "accounts.OperatorAccess"}
    | {"jobs.DueJob", "jobs.Schedule"}
)


class NoWorkspace(RuntimeError):
    """A tenant table was opened outside a unit of work: a mistake in the code, never a user's."""


class NestedWorkspaces(RuntimeError):
    """A unit of one workspace was opened inside a unit of another."""


Plans = Literal["auto", "force_custom_plan", "force_generic_plan"]
"""How PostgreSQL plans prepared statements: as it thinks best, anew each time for the values at hand, or once."""
_PLANS = "plan_cache_mode"


@dataclass(frozen=True, slots=True)
class Scope:
    """`workspace_id` is None in an operator's unit, which sees every workspace; `plans` is how its statements began to
    be planned."""

    workspace_id: UUID | None
    plans: Plans = "auto"


_scope: ContextVar[Scope | None] = ContextVar("continuity_scope", default=None)


def scope_or_none() -> Scope | None:
    """The present unit's; none outside of all units."""
    return _scope.get()


@contextmanager
def scoped_as(scope: Scope) -> Iterator[None]:
    """Have statements made as in another unit. They are not carried out: the database knows nothing of it."""
    token = _scope.set(scope)
    try:
        yield
    finally:
        _scope.reset(token)


def current_scope() -> Scope:
    scope = _scope.get()
    if scope is None:
        raise NoWorkspace("open a unit of work first: `with workspace(id):`")
    return scope


def current_workspace_id() -> Any:
    """The default of every `workspace` column; empty in an operator's unit, where a row must say whose it is."""
    return current_scope().workspace_id


@contextmanager
def workspace(workspace_id: UUID, *, plans: Plans | None = None) -> Iterator[None]:
    """One unit of work on one workspace. Inside a unit of the same workspace it joins that one, as that one is.

    `plans` is for a unit of one statement that should be planned otherwise than this process's.
    """
    held = _scope.get()
    if held is not None and held.workspace_id == workspace_id:
        yield
        return
    if held is not None and held.workspace_id is not None:
        raise NestedWorkspaces(f"{workspace_id} inside {held.workspace_id}")
    with _unit("app.workspace", str(workspace_id), Scope(workspace_id, plans or _usual_plans())):
        yield


@contextmanager
def every_workspace() -> Iterator[None]:
    """Open a unit over all workspaces. Only `accounts.services.operator_access` calls it, and records who and why."""
    with _unit("app.operator", "on", Scope(None, _usual_plans())):
        yield


def _usual_plans() -> Plans:
    """A request's statement finds few rows, and its plan is kept. One that was made while a table was empty would have
    a job read the whole table for each of its rows, until the table is analysed: there each plan fits the values.
    """
    return "auto" if settings.REUSE_QUERY_PLANS else "force_custom_plan"


def use_custom_plans() -> None:
    """Before work on many rows within a request: plan the rest of the unit's statements as a job's."""
    _set_local({_PLANS: "force_custom_plan"})


@contextmanager
def use_generic_plans() -> Iterator[None]:
    """Use generic plans for the statements inside: they take longer to plan than to run, and fit all values."""
    usual = current_scope().plans
    if usual == "force_generic_plan":
        yield
        return
    _set_local({_PLANS: "force_generic_plan"})
    yield
    # After an error the transaction, or the savepoint, takes the setting with it.
    _set_local({_PLANS: usual})


@contextmanager
def _unit(setting: str, value: str, scope: Scope) -> Iterator[None]:
    joined, outer = connection.in_atomic_block, scope_or_none() or Scope(None)
    values = {setting: value} | ({} if scope.plans == outer.plans else {_PLANS: scope.plans})
    with transaction.atomic():
        _set_local(values)
        with scoped_as(scope):
            yield
        # A rolled back savepoint takes its settings with it; a released one leaves them to the outer transaction.
        if joined and not connection.needs_rollback:
            _set_local({**values, setting: "", _PLANS: outer.plans})


def _set_local(values: Mapping[str, str]) -> None:
    """Change settings until the end of the transaction, all in one statement."""
    calls = ", ".join(["set_config(%s, %s, true)"] * len(values))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {calls}", [text for pair in values.items() for text in pair])
