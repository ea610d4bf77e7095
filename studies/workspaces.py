"""Workspaces and their people: each study puts what it measures into workspaces of its own."""

from __future__ import annotations

from io import BytesIO
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.models import Membership, Role, User, Workspace
from apps.common.tenancy import workspace
from apps.conversations.imports.formats import Source
from apps.conversations.models import Conversation
from apps.turns.services.imports.batches import ImportRequest, conversation_import
from tests.people import person


def alice(workspace_name: str) -> Actor:
    """Create a workspace and Alice, its owner."""
    return person("Alice", Workspace.objects.create(name=workspace_name), Role.OWNER)


def member(place: Workspace, name: str) -> Actor:
    """Create a member of a workspace, who never signs in."""
    user = User.objects.create_user(f"{name}@example.org", None)
    Membership.objects.create(workspace=place, user=user, role=Role.MEMBER)
    return Actor(user_id=user.id, workspace_id=place.id, role=Role.MEMBER)


def import_conversation(actor: Actor, name: str, lines: bytes) -> UUID:
    """Import the workspace's only conversation; its jobs wait for `run_due_jobs`."""
    request = ImportRequest(Source(name))
    conversation_import(actor, file=BytesIO(lines), request=request, on_progress=lambda _: None)
    with workspace(actor.workspace_id):
        return Conversation.objects.get().id
