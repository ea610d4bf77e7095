"""What each role may do in a workspace: the one table that the API, the services and the page decide by.

A person may do what their role allows. An API key may do what the role of its owner allows and its scopes cover.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from apps.accounts.models import KeyScope, Role


class Permission(StrEnum):
    """The API sends these names to clients, so they never change."""

    READ = "read"
    """Read one's own and shared conversations, packs and memories."""
    WRITE = "write"
    """Write one's own conversations, pins and memories, and conversations that are shared for writing."""
    CURATE_TEAM_MEMORY = "curate_team_memory"
    """Write, move, merge and delete memories that the whole workspace shares."""
    READ_USAGE = "read_usage"
    """See what models took and cost."""
    MANAGE_SELF = "manage_self"
    """Change one's own settings; leave the workspace or a shared conversation."""
    MANAGE_OWN_KEYS = "manage_own_keys"
    """Create, list and revoke one's own API keys, none of them stronger than oneself."""
    MANAGE_ALL_KEYS = "manage_all_keys"
    """List and revoke everybody's API keys."""
    READ_ALL_OPERATIONS = "read_all_operations"
    """See everybody's long-running operations."""
    MANAGE_WORKSPACE = "manage_workspace"
    """Rename the workspace and change its policy, spending limits among it."""
    MANAGE_MODELS = "manage_models"
    """Choose models and embeddings, and store keys for providers."""
    MANAGE_MEMBERS = "manage_members"
    """Add and remove members and change their roles."""
    MANAGE_OWNERS = "manage_owners"
    """Make somebody an owner, or an owner something else."""


PERMISSIONS = tuple(permission.value for permission in Permission)

_VIEWER = frozenset({Permission.READ, Permission.MANAGE_SELF, Permission.MANAGE_OWN_KEYS})
_AUDITOR = _VIEWER | {Permission.READ_USAGE}
_MEMBER = _VIEWER | {Permission.WRITE}
_CURATOR = _MEMBER | {Permission.CURATE_TEAM_MEMORY, Permission.READ_USAGE}
_ADMIN = frozenset(Permission) - {Permission.MANAGE_OWNERS}

ROLE_PERMISSIONS: Mapping[Role, frozenset[Permission]] = MappingProxyType(
    {
        Role.OWNER: frozenset(Permission),
        Role.ADMIN: _ADMIN,
        Role.CURATOR: _CURATOR,
        Role.AUDITOR: _AUDITOR,
        Role.MEMBER: _MEMBER,
        Role.VIEWER: _VIEWER,
    }
)

REQUIRED_SCOPE: Mapping[Permission, KeyScope] = MappingProxyType(
    {
        Permission.READ: KeyScope.READ,
        Permission.WRITE: KeyScope.WRITE,
        Permission.CURATE_TEAM_MEMORY: KeyScope.WRITE,
        Permission.READ_USAGE: KeyScope.READ,
        Permission.MANAGE_SELF: KeyScope.WRITE,
        Permission.MANAGE_OWN_KEYS: KeyScope.ADMIN,
        Permission.MANAGE_ALL_KEYS: KeyScope.ADMIN,
        Permission.READ_ALL_OPERATIONS: KeyScope.ADMIN,
        Permission.MANAGE_WORKSPACE: KeyScope.ADMIN,
        Permission.MANAGE_MODELS: KeyScope.ADMIN,
        Permission.MANAGE_MEMBERS: KeyScope.ADMIN,
        Permission.MANAGE_OWNERS: KeyScope.ADMIN,
    }
)
"""The scope that an API key needs for each."""

# A role may give its keys a scope if it has the permission that the scope is mainly for.
_SCOPE_OF = {
    Permission.READ: KeyScope.READ,
    Permission.WRITE: KeyScope.WRITE,
    Permission.MANAGE_WORKSPACE: KeyScope.ADMIN,
}

_ADMINS_ONLY = "Only an owner or admin of the workspace can do this, with a key that has the admin scope."
REFUSALS: Mapping[Permission, str] = MappingProxyType(
    {
        Permission.READ: "This key cannot read; it lacks the read scope.",
        Permission.WRITE: "Your role or key can only read.",
        Permission.CURATE_TEAM_MEMORY: "Only an owner, admin or curator of the workspace can do this.",
        Permission.READ_USAGE: "What models cost is shown to owners, admins, curators and auditors.",
        Permission.MANAGE_SELF: "This key can only read.",
        Permission.MANAGE_OWN_KEYS: "This key cannot manage keys; it lacks the admin scope.",
        Permission.MANAGE_ALL_KEYS: _ADMINS_ONLY,
        Permission.READ_ALL_OPERATIONS: _ADMINS_ONLY,
        Permission.MANAGE_WORKSPACE: _ADMINS_ONLY,
        Permission.MANAGE_MODELS: _ADMINS_ONLY,
        Permission.MANAGE_MEMBERS: _ADMINS_ONLY,
        Permission.MANAGE_OWNERS: "Only an owner can make, change or remove an owner.",
    }
)


def role_allows(role: Role, permission: Permission) -> bool:
    return permission in ROLE_PERMISSIONS[role]


def scopes_of_role(role: Role) -> frozenset[KeyScope]:
    """Return the scopes that somebody with the role may give to a key."""
    return frozenset(scope for permission, scope in _SCOPE_OF.items() if role_allows(role, permission))
