"""Changes of members and roles. Every change locks the workspace's row, so that at least one owner remains.

People join by invitation only: see `invitations.py`.
"""

from __future__ import annotations

from uuid import UUID

from django.utils import timezone

from apps.accounts.actors import Actor, require
from apps.accounts.models import ApiKey, Invitation, Membership, Role, Workspace
from apps.accounts.permissions import Permission, role_allows
from apps.accounts.records import MemberRecord, member_record
from apps.accounts.selectors.users import members_of, owners_needed
from apps.common.errors import Conflict, NotFound
from apps.events.publish import publish
from apps.events.types import AccessRevoked, MembersChanged

LAST_OWNER = "A workspace must have at least one owner."


def member_update(actor: Actor, *, user_id: UUID, role: str) -> MemberRecord:
    require(actor, Permission.MANAGE_MEMBERS)
    row = _member_lock(actor.workspace_id, user_id)
    require_owner_for(actor, role, row.role)
    return member_record(_set_role(row, role))


def member_remove(actor: Actor, *, user_id: UUID) -> None:
    """Remove a member and revoke their keys. Members may also remove themselves."""
    require(actor, Permission.MANAGE_SELF)
    row = _member_lock(actor.workspace_id, user_id)
    if user_id != actor.user_id:
        require(actor, Permission.MANAGE_MEMBERS)
        require_owner_for(actor, row.role)
    _end(row)


def membership_update(*, workspace_id: UUID, user_id: UUID, role: str) -> None:
    """Change a member's role as an operator, without permission checks."""
    _set_role(_member_lock(workspace_id, user_id), role)


def membership_end(*, workspace_id: UUID, user_id: UUID) -> None:
    """Remove a member as an operator, without permission checks."""
    _end(_member_lock(workspace_id, user_id))


def _set_role(row: Membership, role: str) -> Membership:
    if role != Role.OWNER:
        _require_another_owner(row)
    row.role = Role(role)
    row.save(update_fields=["role"])
    _end_invitations_by(row, role=row.role)
    publish(MembersChanged(workspace_id=row.workspace_id))
    return row


def _end(row: Membership) -> None:
    _require_another_owner(row)
    row.delete()
    keys = ApiKey.objects.filter(workspace_id=row.workspace_id, user_id=row.user_id, revoked_at=None)
    keys.update(revoked_at=timezone.now())
    _end_invitations_by(row)
    publish(AccessRevoked(workspace_id=row.workspace_id, user_id=row.user_id))
    publish(MembersChanged(workspace_id=row.workspace_id))


def _end_invitations_by(row: Membership, *, role: Role | None = None) -> None:
    """Revoke the member's pending invitations, except those that the role they now have could still send."""
    rows = Invitation.objects.filter(workspace_id=row.workspace_id, invited_by_id=row.user_id, ended_at=None)
    rows.exclude(role__in=_roles_to_invite(role)).update(ended_at=timezone.now())


def _roles_to_invite(role: Role | None) -> list[Role]:
    if role is None or not role_allows(role, Permission.MANAGE_MEMBERS):
        return []
    return [one for one in Role if one != Role.OWNER or role_allows(role, Permission.MANAGE_OWNERS)]


def workspace_lock(workspace_id: UUID) -> None:
    Workspace.objects.select_for_update().get(pk=workspace_id)


def _member_lock(workspace_id: UUID, user_id: UUID) -> Membership:
    workspace_lock(workspace_id)
    rows = members_of(workspace_id).filter(user_id=user_id).select_related("user")
    if (row := rows.first()) is None:
        raise NotFound("Member not found.")
    return row


def require_owner_for(actor: Actor, *roles: str) -> None:
    if Role.OWNER in roles:
        require(actor, Permission.MANAGE_OWNERS)


def _require_another_owner(row: Membership) -> None:
    if owners_needed([row.pk]).exists():
        raise Conflict(LAST_OWNER, code="last_owner")
