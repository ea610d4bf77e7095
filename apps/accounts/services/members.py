"""Changes of members and roles. Every change locks the workspace's row, so that at least one owner remains."""

from __future__ import annotations

from uuid import UUID

from django.utils import timezone

from apps.accounts.actors import Actor, require
from apps.accounts.models import ApiKey, Membership, Role, User, Workspace
from apps.accounts.permissions import Permission
from apps.accounts.records import MemberRecord, member_record
from apps.accounts.selectors.users import owners_needed
from apps.common.errors import Conflict, NotFound, Unprocessable
from apps.events.publish import publish
from apps.events.types import AccessRevoked

LAST_OWNER = "A workspace must have at least one owner."


def member_add(actor: Actor, *, email: str, role: str) -> MemberRecord:
    """Add a user who already has an account; there are no invitations yet."""
    require(actor, Permission.MANAGE_MEMBERS)
    _require_owner_for(actor, role)
    _workspace_lock(actor.workspace_id)
    user = User.objects.filter(email=email.lower(), is_active=True).first()
    if user is None:
        raise Unprocessable("There is no account with this address; ask the person to sign up.", code="no_account")
    row, created = Membership.objects.get_or_create(
        workspace_id=actor.workspace_id, user=user, defaults={"role": Role(role)}
    )
    if not created:
        raise Conflict("This person is already a member.", code="already_member")
    return member_record(row)


def member_update(actor: Actor, *, user_id: UUID, role: str) -> MemberRecord:
    require(actor, Permission.MANAGE_MEMBERS)
    row = _member_lock(actor.workspace_id, user_id)
    _require_owner_for(actor, role, row.role)
    return member_record(_set_role(row, role))


def member_remove(actor: Actor, *, user_id: UUID) -> None:
    """Remove a member and revoke their keys. Members may also remove themselves."""
    require(actor, Permission.MANAGE_SELF)
    row = _member_lock(actor.workspace_id, user_id)
    if user_id != actor.user_id:
        require(actor, Permission.MANAGE_MEMBERS)
        _require_owner_for(actor, row.role)
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
    return row


def _end(row: Membership) -> None:
    _require_another_owner(row)
    row.delete()
    keys = ApiKey.objects.filter(workspace_id=row.workspace_id, user_id=row.user_id, revoked_at=None)
    keys.update(revoked_at=timezone.now())
    publish(AccessRevoked(workspace_id=row.workspace_id, user_id=row.user_id))


def _workspace_lock(workspace_id: UUID) -> None:
    Workspace.objects.select_for_update().get(pk=workspace_id)


def _member_lock(workspace_id: UUID, user_id: UUID) -> Membership:
    _workspace_lock(workspace_id)
    rows = Membership.objects.filter(workspace_id=workspace_id, user_id=user_id).select_related("user")
    if (row := rows.first()) is None:
        raise NotFound("There is no such member.")
    return row


def _require_owner_for(actor: Actor, *roles: str) -> None:
    if Role.OWNER in roles:
        require(actor, Permission.MANAGE_OWNERS)


def _require_another_owner(row: Membership) -> None:
    if owners_needed([row.pk]).exists():
        raise Conflict(LAST_OWNER, code="last_owner")
