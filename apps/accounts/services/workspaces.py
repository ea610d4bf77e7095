"""Creation and renaming of workspaces."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from apps.accounts.actors import Actor, require
from apps.accounts.models import Membership, Role, Workspace
from apps.accounts.permissions import Permission
from apps.accounts.records import WorkspaceRecord, workspace_record


def workspace_create(*, user_id: UUID, name: str) -> WorkspaceRecord:
    """Create a workspace owned by the user."""
    with transaction.atomic():
        row = Workspace.objects.create(name=name)
        membership = Membership.objects.create(workspace=row, user_id=user_id, role=Role.OWNER)
    return workspace_record(membership)


def workspace_rename(actor: Actor, *, name: str) -> WorkspaceRecord:
    require(actor, Permission.MANAGE_WORKSPACE)
    membership = Membership.objects.select_related("workspace").get(
        workspace_id=actor.workspace_id, user_id=actor.user_id
    )
    membership.workspace.name = name
    membership.workspace.save(update_fields=["name"])
    return workspace_record(membership)
