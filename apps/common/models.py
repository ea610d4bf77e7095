"""Abstract tables: ids that sort by time, a workspace on every tenant row, a manager that is closed outside units."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from django.db import models

from apps.common.ids import uuid7
from apps.common.tenancy import current_scope, current_workspace_id

Row_co = TypeVar("Row_co", bound=models.Model, covariant=True)


ALSO_HERE = "(workspace_id = %(workspace)s) IS TRUE"
"""A filter for hand-written statements next to a row's key, which cannot be used as an index condition.

A planner that expects one row per workspace (a new one, not analyzed yet) may otherwise choose any index that begins
with the workspace, and scan the whole workspace for each key.
"""


def columns(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    """Return the model's fields with a column of its table, in the order of the constructor's arguments."""
    fields = [field for field in model._meta.get_fields() if isinstance(field, models.Field)]
    return [field for field in fields if field.concrete and not field.many_to_many]


def columns_of(model: type[models.Model], of: str) -> str:
    """Return the column list for a hand-written statement; `of` is the table's alias.

    A prepared statement with `*` fails after a migration that adds a column.
    """
    return ", ".join(f'{of}."{field.column}"' for field in columns(model))


class Identified(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)

    class Meta:
        abstract = True


class WorkspaceManager(models.Manager[Row_co], Generic[Row_co]):
    """Rows of the current unit's workspace; raises `NoWorkspace` outside a unit."""

    def get_queryset(self) -> models.QuerySet[Row_co]:
        scope = current_scope()
        rows = super().get_queryset()
        return rows if scope.workspace_id is None else rows.filter(workspace_id=scope.workspace_id)


class WorkspaceOwned(Identified):
    """A tenant row. The workspace leads every index and every unique constraint but the primary key."""

    workspace = models.ForeignKey(
        "accounts.Workspace", models.CASCADE, default=current_workspace_id, related_name="+", db_index=False
    )

    objects = WorkspaceManager()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        # Labels in logs and in the console's history must not carry content.
        return f"{self._meta.verbose_name} {self.pk}"


class Dependent(WorkspaceOwned):
    """A tenant row that is stored with a parent row of its workspace, by the thousand.

    PostgreSQL checks the parent's foreign key; checking it for each of these rows takes longer than writing them.
    Workspaces and people are deactivated, never deleted.
    """

    workspace = models.ForeignKey(
        "accounts.Workspace",
        models.CASCADE,
        default=current_workspace_id,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )

    class Meta:
        abstract = True


Json = dict[str, Any]
