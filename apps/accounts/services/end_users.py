"""Requests that an application sends for one of its users: an end user, who has no login.

They are made by the first request that names them, and are private like every person of the workspace.
"""

from __future__ import annotations

from django.db import IntegrityError

from apps.accounts.actors import Actor, require
from apps.accounts.models import END_USER_ID_LENGTH, EndUser, KeyScope, Membership, Role, User
from apps.accounts.permissions import Permission
from apps.accounts.records import KeyHolder
from apps.accounts.selectors.end_users import end_user_digest, end_user_find
from apps.common.errors import Invalid, NotFound
from apps.common.ids import uuid7
from apps.common.tenancy import workspace
from apps.engine.text.normal_form import cleaned
from apps.events.publish import publish
from apps.events.types import AccessRevoked

_NO_MAIL = "end-users.invalid"
"""A domain that never exists (RFC 2606): an account needs an address, and nobody can sign in with this one."""


def end_user_holder(holder: KeyHolder, external_id: str) -> KeyHolder:
    """The holder of a key as it acts for an end user, who is made if no request named them before.

    Raises `Forbidden` if the key may not act for others, `Invalid` for what is no id, and `NotFound` if the end user is
    new and the key only reads.
    """
    key = holder.actor
    require(key, Permission.MANAGE_END_USERS, code="cannot_act_for_users")
    _require_id(external_id)
    found = end_user_find(key, external_id) or _first_request(key, external_id)
    if found is None:
        raise NotFound("No such end user yet; the first request that writes makes them.", code="end_user_not_found")
    return found


def _first_request(key: Actor, external_id: str) -> KeyHolder | None:
    if KeyScope.WRITE not in key.scopes:
        return None
    try:
        with workspace(key.workspace_id):
            _store(key, external_id)
    except IntegrityError:
        pass  # another request has just made them
    return end_user_find(key, external_id)


def _store(key: Actor, external_id: str) -> None:
    user = User.objects.create_user(f"{uuid7()}@{_NO_MAIL}")
    digest = end_user_digest(key.workspace_id, external_id)
    Membership.objects.create(workspace_id=key.workspace_id, user=user, role=Role.END_USER, end_user_digest=digest)
    EndUser.objects.create(user=user, external_id=external_id)


def end_user_delete(person: Actor) -> None:
    """Delete an end user's account with the rows that belong to it, and close their sockets."""
    publish(AccessRevoked(workspace_id=person.workspace_id, user_id=person.user_id))
    User.objects.get(pk=person.user_id).delete()


def _require_id(external_id: str) -> None:
    fits = 0 < len(external_id) <= END_USER_ID_LENGTH
    if not fits or not external_id.isprintable() or cleaned(external_id) != external_id:
        raise Invalid(f"An end user's id has 1 to {END_USER_ID_LENGTH} visible characters.", code="invalid_end_user")
