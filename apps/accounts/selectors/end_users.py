"""The users of an application: by the id that it gives them, and in pages."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from uuid import UUID

from django.db.models import QuerySet

from apps.accounts.actors import Actor, require
from apps.accounts.models import EndUser, KeyScope, Membership, Role
from apps.accounts.permissions import Permission
from apps.accounts.records import EndUserRecord, KeyHolder, end_user_record, user_record
from apps.common.errors import Forbidden, NotFound
from apps.common.pagination import Page, page_of


def end_user_digest(workspace_id: UUID, external_id: str) -> str:
    """Identify an end user in tables that hold no content."""
    return hashlib.sha256(f"{workspace_id} {external_id}".encode()).hexdigest()


def end_user_find(key: Actor, external_id: str) -> KeyHolder | None:
    """The holder of a key as it acts for the end user with this id; None if no request named them before.

    Raises `Forbidden` if an operator has switched the account off.
    """
    digest = end_user_digest(key.workspace_id, external_id)
    row = _memberships(key.workspace_id).filter(end_user_digest=digest).first()
    if row is None:
        return None
    if not row.user.is_active:
        raise Forbidden("This end user's account is switched off.", code="end_user_inactive")
    return KeyHolder(replace(user_record(row.user), email=""), _acting_for(key, row))


def end_user_actor(key: Actor, user_id: UUID) -> Actor | None:
    """The actor of a key as it acts for an end user, while it may and while they exist."""
    row = _memberships(key.workspace_id).filter(user_id=user_id, user__is_active=True).first()
    return _acting_for(key, row) if row and key.may(Permission.MANAGE_END_USERS) else None


def end_user_list(actor: Actor, *, beginning: str, after: str | None, limit: int) -> Page[EndUserRecord]:
    """Return a page of the workspace's end users whose ids begin with a text, in the order of their ids."""
    require(actor, Permission.MANAGE_END_USERS)
    rows = EndUser.objects.filter(external_id__startswith=beginning).order_by("external_id")
    if after:
        rows = rows.filter(external_id__gt=after)
    return page_of(rows[: limit + 1], limit, end_user_record, lambda row: row.external_id)


def end_user_get(actor: Actor, user_id: UUID) -> EndUserRecord:
    require(actor, Permission.MANAGE_END_USERS)
    row = EndUser.objects.filter(user_id=user_id).first()
    if row is None:
        raise NotFound("End user not found.")
    return end_user_record(row)


def end_user_as_actor(actor: Actor, user_id: UUID) -> Actor:
    """The end user themselves, for those who manage them and may write; raises `NotFound`."""
    require(actor, Permission.MANAGE_END_USERS)
    if KeyScope.WRITE not in actor.scopes:
        raise Forbidden("This key can only read.")
    row = _memberships(actor.workspace_id).filter(user_id=user_id).first()
    if row is None:
        raise NotFound("End user not found.")
    return Actor(row.user_id, row.workspace_id, Role.END_USER, time_zone=row.user.time_zone)


def _memberships(workspace_id: UUID) -> QuerySet[Membership]:
    rows = Membership.objects.filter(workspace_id=workspace_id, role=Role.END_USER)
    return rows.select_related("user")


def _acting_for(key: Actor, row: Membership) -> Actor:
    return replace(key, user_id=row.user_id, role=Role.END_USER, time_zone=row.user.time_zone)
