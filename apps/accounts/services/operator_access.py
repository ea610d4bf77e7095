"""Work over all workspaces: who and why is on record before the first row is seen; and acting in one of them."""

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
    """A unit over every workspace; `user_id` is empty for a command. The record outlives whatever the unit does."""
    if not reason.strip():
        raise ValueError("say why all workspaces are opened")
    with transaction.atomic(durable=True):
        OperatorAccess.objects.create(user_id=user_id, reason=reason[:300])
    with every_workspace():
        yield


@contextmanager
def acting(user_id: UUID, *, workspace_id: UUID, on_behalf_of: UUID | None = None) -> Iterator[Actor]:
    """Inside an operator's unit a unit of one workspace, for the services that its people's writes go through.

    The operator may there what an admin may, and sees the private rows of the person they stand for. What a service
    refuses leaves nothing of this unit behind, and all else of the operator's.
    """
    if current_scope().workspace_id is not None:
        raise NoWorkspace("an operator acts inside an operator's unit: `with operator(id, why):`")
    with workspace(workspace_id):
        yield Actor(user_id=user_id, workspace_id=workspace_id, role=Role.ADMIN, on_behalf_of=on_behalf_of)
