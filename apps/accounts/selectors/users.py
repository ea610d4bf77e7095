"""Reads of users, memberships and workspaces."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db import connection
from django.db.models import Exists, F, OuterRef, QuerySet

from apps.accounts.actors import Actor
from apps.accounts.models import MEMBER_ROLES, Membership, Role, User
from apps.accounts.records import (
    MemberRecord,
    UserRecord,
    WorkspaceRecord,
    member_record,
    user_record,
    workspace_record,
)
from apps.common.errors import Forbidden, NotFound
from apps.common.pagination import Page, page_of

# Runs on every page load and key check, hence raw SQL.
_WORKSPACES_OF = """
SELECT workspace.id, workspace.name, membership.role, workspace.created_at
FROM accounts_membership AS membership JOIN accounts_workspace AS workspace ON workspace.id = membership.workspace_id
WHERE membership.user_id = %s ORDER BY membership.id
"""


def user_get(user_id: UUID) -> UserRecord:
    row = User.objects.filter(pk=user_id, is_active=True).first()
    if row is None:
        raise NotFound("Person not found.")
    return user_record(row)


def workspaces_of(user_id: UUID) -> list[WorkspaceRecord]:
    """All workspaces of a user, oldest membership first."""
    with connection.cursor() as cursor:
        cursor.execute(_WORKSPACES_OF, [user_id])
        return [WorkspaceRecord(*row) for row in cursor.fetchall()]


def workspace_list(user_id: UUID, *, after: str | None, limit: int, only: UUID | None = None) -> Page[WorkspaceRecord]:
    """Return a page of the user's workspaces, or of `only` one, oldest membership first."""
    rows = Membership.objects.filter(user_id=user_id).select_related("workspace").order_by("id")
    if only:
        rows = rows.filter(workspace_id=only)
    if after:
        rows = rows.filter(pk__gt=UUID(after))
    return page_of(rows[: limit + 1], limit, workspace_record, lambda row: str(row.id))


def workspace_get(actor: Actor) -> WorkspaceRecord:
    """The actor's own workspace."""
    rows = Membership.objects.filter(user_id=actor.user_id, workspace_id=actor.workspace_id)
    return workspace_record(rows.select_related("workspace").get())


def actor_in(user_id: UUID, workspace_id: UUID) -> Actor:
    """The user as an actor in a workspace; raises `NotFound` for non-members."""
    row = Membership.objects.select_related("user").filter(user_id=user_id, workspace_id=workspace_id).first()
    if row is None:
        raise NotFound("Workspace not found.")
    return _actor(row)


def actor_or_none(user_id: UUID, preferred: UUID | None = None) -> Actor | None:
    """Return the user in the preferred workspace if still a member, else in the one that they chose last.

    Without a choice it is the oldest one; None without any.
    """
    lately = F("chosen_at").desc(nulls_last=True)
    rows = list(Membership.objects.select_related("user").filter(user_id=user_id).order_by(lately, "id"))
    if not rows:
        return None
    return _actor(next((row for row in rows if row.workspace_id == preferred), rows[0]))


def actor_anywhere(user_id: UUID, preferred: UUID | None = None) -> Actor:
    actor = actor_or_none(user_id, preferred)
    if actor is None:
        raise Forbidden("You are not a member of any workspace; create one first.", code="no_workspace")
    return actor


def owners_needed(leaving: Collection[UUID]) -> QuerySet[Membership]:
    """The owners among `leaving` memberships (to be ended or demoted) whose workspace would have no owner left."""
    others = Membership.objects.filter(workspace=OuterRef("workspace"), role=Role.OWNER).exclude(pk__in=leaving)
    return Membership.objects.filter(~Exists(others), pk__in=leaving, role=Role.OWNER)


def members_of(workspace_id: UUID) -> QuerySet[Membership]:
    """The memberships of a workspace's people, and none of an application's users."""
    return Membership.objects.filter(workspace_id=workspace_id, role__in=MEMBER_ROLES)


def member_list(actor: Actor, *, after: str | None, limit: int) -> Page[MemberRecord]:
    """Members in the order in which they joined."""
    rows = members_of(actor.workspace_id).select_related("user").order_by("id")
    if after:
        rows = rows.filter(pk__gt=UUID(after))
    return page_of(rows[: limit + 1], limit, member_record, lambda row: str(row.id))


def _actor(row: Membership) -> Actor:
    return Actor(user_id=row.user_id, workspace_id=row.workspace_id, role=Role(row.role), time_zone=row.user.time_zone)
