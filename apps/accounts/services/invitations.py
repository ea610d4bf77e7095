"""Invitations to a workspace: nobody becomes a member without accepting one.

The product sends no mail: the person who invites passes on the link, whose secret is returned once and stored only as a
hash. Only the account with the invited address can open it. Nothing here depends on whether that account exists.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import Actor, require
from apps.accounts.models import Invitation, Membership, Role
from apps.accounts.permissions import Permission
from apps.accounts.records import NewInvitation, invitation_record
from apps.accounts.selectors.invitations import (
    invitation_digest,
    invitation_for,
    invitation_over,
    invitations_pending,
)
from apps.accounts.services.members import require_owner_for, workspace_lock
from apps.accounts.services.sign_in_limits import Attempt
from apps.common.errors import Conflict, NotFound
from apps.common.token_buckets import Rate
from apps.events.publish import publish
from apps.events.types import MembersChanged

LARGEST_PENDING = 100
_LIFETIME = timedelta(days=7)
_RETENTION = timedelta(days=30)
_PER_HOUR = Rate("invitations", 60, 3_600)
_SECRET_BYTES = 32


def invitation_create(actor: Actor, *, email: str, role: str) -> NewInvitation:
    """Invite an address; a repeated invitation replaces the previous one, whose link ends."""
    require(actor, Permission.MANAGE_MEMBERS)
    require_owner_for(actor, role)
    workspace_lock(actor.workspace_id)
    _require_no_member(actor.workspace_id, email.lower())
    Attempt().take(_PER_HOUR, str(actor.workspace_id))
    _forget_old(actor.workspace_id)
    _end_previous(actor, email.lower())
    _require_room(actor.workspace_id)
    return _store(actor, email.lower(), Role(role))


def invitation_revoke(actor: Actor, *, invitation_id: UUID) -> None:
    """Revoke a pending invitation, effective at once."""
    require(actor, Permission.MANAGE_MEMBERS)
    workspace_lock(actor.workspace_id)
    row = invitations_pending(actor.workspace_id).filter(pk=invitation_id).first()
    if row is None:
        raise NotFound("Invitation not found.")
    require_owner_for(actor, row.role)
    _end(row)


@transaction.atomic
def invitation_accept(*, user_id: UUID, secret: str) -> UUID:
    """Join the workspace of the invitation, and return its id. A person who is a member already stays what they are."""
    row = _end_own(user_id, secret)
    Membership.objects.get_or_create(workspace_id=row.workspace_id, user_id=user_id, defaults={"role": row.role})
    return row.workspace_id


@transaction.atomic
def invitation_decline(*, user_id: UUID, secret: str) -> None:
    _end_own(user_id, secret)


def _end_own(user_id: UUID, secret: str) -> Invitation:
    """Use up an invitation; of concurrent attempts only one succeeds."""
    row = invitation_for(user_id, secret)
    workspace_lock(row.workspace_id)
    if not _end(row):
        raise invitation_over()
    publish(MembersChanged(workspace_id=row.workspace_id))
    return row


def _end(row: Invitation) -> bool:
    return bool(Invitation.objects.filter(pk=row.pk, ended_at=None).update(ended_at=timezone.now()))


def _require_no_member(workspace_id: UUID, email: str) -> None:
    if Membership.objects.filter(workspace_id=workspace_id, user__email=email).exists():
        raise Conflict("This person is already a member.", code="already_member")


def _forget_old(workspace_id: UUID) -> None:
    expired_before = timezone.now() - _RETENTION
    Invitation.objects.filter(workspace_id=workspace_id, expires_at__lt=expired_before).delete()


def _end_previous(actor: Actor, email: str) -> None:
    rows = Invitation.objects.filter(workspace_id=actor.workspace_id, email=email, ended_at=None)
    require_owner_for(actor, *rows.filter(expires_at__gt=timezone.now()).values_list("role", flat=True))
    rows.update(ended_at=timezone.now())


def _require_room(workspace_id: UUID) -> None:
    if invitations_pending(workspace_id).count() >= LARGEST_PENDING:
        reason = f"There are {LARGEST_PENDING} pending invitations already. Revoke some first."
        raise Conflict(reason, code="too_many_invitations")


def _store(actor: Actor, email: str, role: Role) -> NewInvitation:
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    row = Invitation.objects.create(
        workspace_id=actor.workspace_id,
        email=email,
        role=role,
        invited_by_id=actor.user_id,
        digest=invitation_digest(secret),
        expires_at=timezone.now() + _LIFETIME,
    )
    return NewInvitation(invitation_record(row), secret)
