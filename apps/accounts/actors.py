"""Who acts: a person or a program of theirs, in one workspace, with what they may do there."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from apps.accounts.models import KeyScope, Role
from apps.common.errors import Forbidden

_READ_ONLY = frozenset({Role.VIEWER, Role.AUDITOR})
_ADMINISTRATORS = frozenset({Role.OWNER, Role.ADMIN})
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
    stands_for: UUID | None = None

    @property
    def person_id(self) -> UUID:
        """Whose private rows these are to see and to write."""
        return self.stands_for or self.user_id

    @property
    def may_read(self) -> bool:
        return KeyScope.READ in self.scopes

    @property
    def may_write(self) -> bool:
        return KeyScope.WRITE in self.scopes and self.role not in _READ_ONLY

    @property
    def may_administer(self) -> bool:
        return KeyScope.ADMIN in self.scopes and self.role in _ADMINISTRATORS


def require_write(actor: Actor) -> None:
    if not actor.may_write:
        raise Forbidden("Your role or key can only read.")


def require_write_scope(actor: Actor) -> None:
    """For what is one's own whatever one's role: a viewer may change it, a key that only reads may not."""
    if KeyScope.WRITE not in actor.scopes:
        raise Forbidden("This key can only read.")


def require_admin(actor: Actor) -> None:
    if not actor.may_administer:
        raise Forbidden("Only an owner or admin of the workspace can do this, with a key that has the admin scope.")
