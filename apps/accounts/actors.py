"""The acting user or API key in a workspace, and permission checks."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from apps.accounts.models import KeyScope, Role
from apps.accounts.permissions import PERSONAL, REFUSALS, REQUIRED_SCOPE, Permission, role_allows
from apps.common.errors import Forbidden

EVERY_SCOPE = frozenset(KeyScope)
_NAME_END_USER = "This key acts for the users of an application. Name one in the header Continuity-User."


@dataclass(frozen=True, slots=True)
class Actor:
    """A user in one workspace, signed in or acting through an API key.

    `scopes` are the API key's; a signed-in user has all of them, and no `key_id`. With `on_behalf_of` an operator sees
    that user's private rows instead of their own; their actions are recorded under their own id. `time_zone` is that of
    the user, an IANA name, empty for UTC.
    """

    user_id: UUID
    workspace_id: UUID
    role: Role
    scopes: frozenset[KeyScope] = EVERY_SCOPE
    key_id: UUID | None = None
    on_behalf_of: UUID | None = None
    time_zone: str = ""

    @property
    def person_id(self) -> UUID:
        """The user whose private rows the actor reads and writes."""
        return self.on_behalf_of or self.user_id

    @property
    def is_end_user(self) -> bool:
        return self.role is Role.END_USER

    @property
    def awaits_end_user(self) -> bool:
        """Whether it is a key that acts for an application's users, and none of them is named."""
        acts_for_users = self.key_id is not None and KeyScope.ACT_FOR_USERS in self.scopes
        return acts_for_users and not self.is_end_user

    def must_name_end_user(self, permission: Permission) -> bool:
        """Whether it may do this for a named end user only."""
        return self.awaits_end_user and permission in PERSONAL

    def may(self, permission: Permission) -> bool:
        """Whether the role grants the permission and, for an API key, its scopes cover it."""
        if self.must_name_end_user(permission):
            return False
        return role_allows(self.role, permission) and REQUIRED_SCOPE[permission] in self.scopes

    @property
    def permissions(self) -> tuple[Permission, ...]:
        return tuple(permission for permission in Permission if self.may(permission))

    @property
    def may_read(self) -> bool:
        return self.may(Permission.READ)

    @property
    def may_write(self) -> bool:
        return self.may(Permission.WRITE)

    @property
    def may_read_all_operations(self) -> bool:
        """For `apps.jobs`, which is a lower layer and cannot import permissions."""
        return self.may(Permission.READ_ALL_OPERATIONS)


def require(actor: Actor, permission: Permission, *, code: str = "forbidden") -> None:
    """Raise `Forbidden` unless the actor has the permission."""
    if actor.must_name_end_user(permission):
        raise Forbidden(_NAME_END_USER, code="end_user_required")
    if not actor.may(permission):
        raise Forbidden(REFUSALS[permission], code=code)


def require_write(actor: Actor) -> None:
    require(actor, Permission.WRITE)
