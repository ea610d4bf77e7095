"""Operator access to all workspaces, recorded before the first read, and operator actions in one workspace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.models import OperatorAccess, Role
from apps.common.tenancy import NoWorkspace, current_scope, every_workspace, workspace


@contextmanager
def operator(user_id: UUID | None, reason: str) -> Iterator[None]:
    """Open a unit of work over all workspaces. The access record is committed first, whatever the unit does.

    `user_id` is None for a command.
    """
    if not reason.strip():
        raise ValueError("give a reason for the access to all workspaces")
    with transaction.atomic(durable=True):
        OperatorAccess.objects.create(user_id=user_id, reason=reason[:300])
    with every_workspace():
        yield


@contextmanager
def acting(user_id: UUID, *, workspace_id: UUID, on_behalf_of: UUID | None = None) -> Iterator[Actor]:
    """Open a unit of one workspace inside an operator's unit, for calling the services that members use.

    The operator has an admin's permissions and sees the private rows of `on_behalf_of`. If a service raises, only this
    inner unit is rolled back.
    """
    if current_scope().workspace_id is not None:
        raise NoWorkspace("`acting` requires an operator's unit: `with operator(id, reason):`")
    with workspace(workspace_id):
        yield Actor(user_id=user_id, workspace_id=workspace_id, role=Role.ADMIN, on_behalf_of=on_behalf_of)
