"""Who acts: a person or a program of theirs, in one workspace, with what they may do there."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from apps.accounts.models import KeyScope, Role
from apps.accounts.permissions import REFUSALS, REQUIRED_SCOPE, Permission, role_allows
from apps.common.errors import Forbidden

EVERY_SCOPE = frozenset(KeyScope)


@dataclass(frozen=True, slots=True)
class Actor:
    """`scopes` are those of the API key; a signed-in person has them all. `key_id` is empty for a person.

    An operator of the installation may stand for a person: they see that person's private rows in place of their own,
    and what they do is on record as theirs.
    """

    user_id: UUID
    workspace_id: UUID
    role: Role
    scopes: frozenset[KeyScope] = EVERY_SCOPE
    key_id: UUID | None = None
    on_behalf_of: UUID | None = None

    @property
    def person_id(self) -> UUID:
        """Whose private rows these are to see and to write."""
        return self.on_behalf_of or self.user_id

    def may(self, permission: Permission) -> bool:
        """Whether the role allows it and, for a key, its scopes cover it."""
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
        """For the jobs, which lie below the accounts and cannot import permissions."""
        return self.may(Permission.READ_ALL_OPERATIONS)


def require(actor: Actor, permission: Permission, *, code: str = "forbidden") -> None:
    """Raise `Forbidden` unless the actor has the permission."""
    if not actor.may(permission):
        raise Forbidden(REFUSALS[permission], code=code)


def require_write(actor: Actor) -> None:
    require(actor, Permission.WRITE)
