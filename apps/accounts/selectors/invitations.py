"""Pending invitations of a workspace, and the one invitation that a link's secret opens."""

from __future__ import annotations

import hashlib
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from apps.accounts.actors import Actor, require
from apps.accounts.models import Invitation, User
from apps.accounts.permissions import Permission
from apps.accounts.records import InvitationRecord, invitation_record
from apps.common.errors import Ended, NotFound
from apps.common.pagination import Page, page_of

NOT_FOUND = "There is no such invitation for your account. Check the link, or sign in with the invited email address."
OVER = "This invitation was already used or revoked, or it has expired. Ask for a new one."


def invitation_digest(secret: str) -> str:
    """Hash a secret. A plain SHA-256 suffices, because 256 random bits cannot be guessed."""
    return hashlib.sha256(secret.encode()).hexdigest()


def invitations_pending(workspace_id: UUID) -> QuerySet[Invitation]:
    return Invitation.objects.filter(workspace_id=workspace_id, ended_at=None, expires_at__gt=timezone.now())


def invitation_list(actor: Actor, *, after: str | None, limit: int) -> Page[InvitationRecord]:
    """The workspace's pending invitations, newest first."""
    require(actor, Permission.MANAGE_MEMBERS)
    rows = invitations_pending(actor.workspace_id).select_related("invited_by", "workspace").order_by("-id")
    if after:
        rows = rows.filter(pk__lt=UUID(after))
    return page_of(rows[: limit + 1], limit, invitation_record, lambda row: str(row.id))


def invitation_preview(*, user_id: UUID, secret: str) -> InvitationRecord:
    return invitation_record(invitation_for(user_id, secret))


def invitation_for(user_id: UUID, secret: str) -> Invitation:
    """Find a pending invitation of the user's own address.

    A wrong secret and another person's invitation raise the same `NotFound`, so that a link reveals nothing to others.
    """
    addresses = User.objects.filter(pk=user_id, is_active=True).values("email")
    rows = Invitation.objects.filter(digest=invitation_digest(secret), email__in=addresses)
    row = rows.select_related("invited_by", "workspace").first()
    if row is None:
        raise NotFound(NOT_FOUND, code="invitation_not_found")
    if row.ended_at is not None or row.expires_at <= timezone.now():
        raise invitation_over()
    return row


def invitation_over() -> Ended:
    return Ended(OVER, code="invitation_over")
