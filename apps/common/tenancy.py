"""The unit of work: a short transaction with a workspace. Outside one, tenant tables are closed by their manager and by
row-level security.

`SET LOCAL` ends with the transaction, so that a pooled connection never carries a workspace to the next request.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from django.conf import settings
from django.db import close_old_connections, connection, transaction

# Tables without a workspace: they contain ids, hashes and times, never content.
NOT_TENANT_TABLES = frozenset(
    {"accounts.User", "accounts.Workspace", "accounts.Membership", "accounts.ApiKey", "accounts.OperatorAccess"}
    | {"accounts.Invitation", "accounts.Pairing", "accounts.Installation"}
    | {"jobs.DueJob", "jobs.RunCount", "jobs.Schedule"}
)


class NoWorkspace(RuntimeError):
    """A tenant table was used outside a unit of work: a bug, never a user's error."""


class NestedWorkspaces(RuntimeError):
    """A unit of work was opened inside a unit of another workspace."""


Plans = Literal["auto", "force_custom_plan", "force_generic_plan"]
"""PostgreSQL's `plan_cache_mode`: its own choice, custom plans, or generic plans."""
_PLANS = "plan_cache_mode"


@dataclass(frozen=True, slots=True)
class Scope:
    """A unit's settings. `workspace_id` is None in an operator's unit, which sees every workspace; `plans` is the first
    `plan_cache_mode`."""

    workspace_id: UUID | None
    plans: Plans = "auto"


_scope: ContextVar[Scope | None] = ContextVar("continuity_scope", default=None)


def scope_or_none() -> Scope | None:
    """Return the current unit's scope; None outside a unit of work."""
    return _scope.get()


@contextmanager
def scoped_as(scope: Scope) -> Iterator[None]:
    """Build statements as in a unit of work, without running them: the database settings are not changed."""
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
    """Return the default of `workspace` columns; None in an operator's unit, where rows must set it explicitly."""
    return current_scope().workspace_id


@contextmanager
def workspace(workspace_id: UUID, *, plans: Plans | None = None) -> Iterator[None]:
    """Open a unit of work on one workspace, or join the open unit of the same workspace.

    `plans` overrides the process's `plan_cache_mode` for this unit.
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
    """Open a unit of work on all workspaces, only for `accounts.services.operator_access`, which records the access."""
    with _unit("app.operator", "on", Scope(None, _usual_plans())):
        yield


def _usual_plans() -> Plans:
    """Return the process's `plan_cache_mode`: generic plans may be cached for requests, whose statements find few rows.

    Jobs use custom plans: a plan cached while a table was empty could scan the whole table for each of many rows.
    """
    return "auto" if settings.REUSE_QUERY_PLANS else "force_custom_plan"


def use_custom_plans() -> None:
    """Use custom plans for the rest of the unit, before work on many rows within a request."""
    _set_local({_PLANS: "force_custom_plan"})


@contextmanager
def use_hash_joins() -> Iterator[None]:
    """Use no nested loops inside, for statements that join many rows with many.

    To the planner a table is nearly empty if it was analyzed while a large transaction was filling it. It would then
    compare each row with every other one.
    """
    _set_local({"enable_nestloop": "off"})
    yield
    _set_local({"enable_nestloop": "on"})


_in_index_order: ContextVar[bool] = ContextVar("continuity_in_index_order", default=False)


@contextmanager
def use_index_order() -> Iterator[None]:
    """Sort nothing inside, for statements that read the next few of many rows in the order of an index.

    To the planner a table that was not analyzed since it grew has few rows, and each conversation the average number:
    it would read and sort all that follow. Inside another one it costs nothing.
    """
    if _in_index_order.get():
        yield
        return
    token = _in_index_order.set(True)
    try:
        _set_local({"enable_sort": "off", "enable_bitmapscan": "off"})
        yield
        # After an error the rollback of the transaction or savepoint restores the settings.
        _set_local({"enable_sort": "on", "enable_bitmapscan": "on"})
    finally:
        _in_index_order.reset(token)


@contextmanager
def use_generic_plans() -> Iterator[None]:
    """Use generic plans for the statements inside, which take longer to plan than to run."""
    usual = current_scope().plans
    if usual == "force_generic_plan":
        yield
        return
    _set_local({_PLANS: "force_generic_plan"})
    yield
    # After an error the rollback of the transaction or savepoint restores the setting.
    _set_local({_PLANS: usual})


@contextmanager
def _unit(setting: str, value: str, scope: Scope) -> Iterator[None]:
    joined, outer = connection.in_atomic_block, scope_or_none() or Scope(None)
    values = {setting: value} | ({} if scope.plans == outer.plans else {_PLANS: scope.plans})
    with transaction.atomic():
        _set_local(values)
        with scoped_as(scope):
            yield
        # Rolling back a savepoint restores its settings; releasing it leaves them to the outer transaction.
        if joined and not connection.needs_rollback:
            _set_local({**values, setting: "", _PLANS: outer.plans})


def _set_local(values: Mapping[str, str]) -> None:
    """Change settings until the end of the transaction, in one statement."""
    calls = ", ".join(["set_config(%s, %s, true)"] * len(values))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {calls}", [text for pair in values.items() for text in pair])


def give_back_connection() -> None:
    """Return the thread's connection to the pool before a long wait; outside a unit of work, else it is kept.

    A unit of work leaves its connection with the thread. Threads that wait for a model would hold all of them, so that
    no other request is answered and no reply stored. Without a pool, as in workers, a connection that is not old stays.
    """
    close_old_connections()
