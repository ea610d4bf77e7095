"""Requests that an application sends for one of its users: an end user, who has no login.

The first request that names them makes them, with a key that may write. They are private like every person of the
workspace.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import IntegrityError
from django.db.models import CASCADE, ManyToOneRel

from apps.accounts.actors import Actor, require
from apps.accounts.models import END_USER_ID_LENGTH, EndUser, KeyScope, Membership, Role, User
from apps.accounts.permissions import Permission
from apps.accounts.records import KeyHolder
from apps.accounts.selectors.end_users import end_user_digest, end_user_find
from apps.common.errors import Invalid, NotFound
from apps.common.ids import uuid7
from apps.common.models import WorkspaceOwned
from apps.common.tenancy import workspace
from apps.engine.text.normal_form import cleaned, nfc
from apps.events.publish import publish
from apps.events.types import AccessRevoked

_NO_MAIL = "end-users.invalid"
"""A domain that never exists (RFC 2606): an account needs an address, and nobody can sign in with this one."""
_REPLACED = "\ufffd"
"""In place of what could not be read."""


def end_user_ensure(holder: KeyHolder, external_id: str) -> KeyHolder:
    """The holder of a key as it acts for an end user, who is made if no request named them before.

    Raises `Forbidden` if the key may not act for others, `Invalid` for what is no id, and `NotFound` if the end user is
    new and the key only reads.
    """
    key = holder.actor
    require(key, Permission.MANAGE_END_USERS, code="cannot_act_for_users")
    external_id = nfc(external_id)
    _require_id(external_id)
    found = end_user_find(key, external_id) or _first_request(key, external_id)
    if found is None:
        raise NotFound("No such end user; a key that may write makes them.", code="end_user_not_found")
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
    """Delete the rows that belong to an end user, and close their sockets.

    The account remains, empty and switched off, so that not every row that refers to it has to be found.
    """
    publish(AccessRevoked(workspace_id=person.workspace_id, user_id=person.user_id))
    for model, column in _belongings():
        model._default_manager.filter(**{column: person.user_id}).delete()
    Membership.objects.filter(workspace_id=person.workspace_id, user_id=person.user_id).delete()
    User.objects.filter(pk=person.user_id).update(is_active=False)


def _belongings() -> Iterator[tuple[type[WorkspaceOwned], str]]:
    """The tenant tables whose rows end with the person that a column of theirs names."""
    for relation in User._meta.get_fields(include_hidden=True):
        model: Any = relation.related_model
        if isinstance(relation, ManyToOneRel) and relation.on_delete is CASCADE and issubclass(model, WorkspaceOwned):
            yield model, relation.field.name


def _require_id(external_id: str) -> None:
    """Refuse what could be taken for another id: hidden and replaced characters, and spaces around it."""
    fits = 0 < len(external_id) <= END_USER_ID_LENGTH
    is_clean = cleaned(external_id).strip() == external_id and _REPLACED not in external_id
    if not (fits and is_clean and external_id.isprintable()):
        raise Invalid(
            f"An end user's id has 1 to {END_USER_ID_LENGTH} visible characters.",
            code="invalid_end_user",
        )
