"""Permissions by role: the single table for the API, the services and the page.

A user has the permissions of their role. An API key has those of its owner's role that its scopes cover.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from apps.accounts.models import KeyScope, Role


class Permission(StrEnum):
    """Permissions. The API sends these names to clients, so they never change."""

    READ = "read"
    """Read one's own and shared conversations, packs and memories."""
    READ_WORKSPACE = "read_workspace"
    """Read the workspace's members, keys, agents, policy and models."""
    WRITE = "write"
    """Write one's own conversations, pins and memories, and conversations that are shared for writing."""
    CURATE_TEAM_MEMORY = "curate_team_memory"
    """Write, move, merge and delete memories that the whole workspace shares."""
    READ_USAGE = "read_usage"
    """Read the usage and cost of models."""
    MANAGE_SELF = "manage_self"
    """Change one's own settings; leave the workspace or a shared conversation."""
    MANAGE_OWN_KEYS = "manage_own_keys"
    """Create, list and revoke one's own API keys, which never exceed one's own permissions."""
    MANAGE_ALL_KEYS = "manage_all_keys"
    """List and revoke all API keys of the workspace."""
    READ_ALL_OPERATIONS = "read_all_operations"
    """Read all long-running operations of the workspace."""
    MANAGE_WORKSPACE = "manage_workspace"
    """Rename the workspace and change its policy, including spending limits."""
    MANAGE_MODELS = "manage_models"
    """Choose models and embeddings, and store keys for providers."""
    MANAGE_MEMBERS = "manage_members"
    """Invite and remove members and change their roles."""
    MANAGE_OWNERS = "manage_owners"
    """Grant and revoke the owner role."""
    MANAGE_END_USERS = "manage_end_users"
    """List and erase the users of an application, and act for each of them with a key."""


PERMISSIONS = tuple(permission.value for permission in Permission)

PERSONAL = frozenset(
    {
        *(Permission.READ, Permission.WRITE, Permission.CURATE_TEAM_MEMORY),
        *(Permission.MANAGE_SELF, Permission.MANAGE_OWN_KEYS),
    }
)
"""What a key that acts for an application's users may not do without naming one: nothing of its owner's own."""

_END_USER = frozenset({Permission.READ, Permission.WRITE, Permission.MANAGE_SELF})
_VIEWER = frozenset({Permission.READ, Permission.READ_WORKSPACE, Permission.MANAGE_SELF, Permission.MANAGE_OWN_KEYS})
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
        Role.END_USER: _END_USER,
    }
)

REQUIRED_SCOPE: Mapping[Permission, KeyScope] = MappingProxyType(
    {
        Permission.READ: KeyScope.READ,
        Permission.READ_WORKSPACE: KeyScope.READ,
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
        Permission.MANAGE_END_USERS: KeyScope.ACT_FOR_USERS,
    }
)
"""The scope that an API key needs for each permission."""

# A role may grant a scope to its keys if it has the scope's main permission.
_SCOPE_OF = {
    Permission.READ: KeyScope.READ,
    Permission.WRITE: KeyScope.WRITE,
    Permission.MANAGE_WORKSPACE: KeyScope.ADMIN,
    Permission.MANAGE_END_USERS: KeyScope.ACT_FOR_USERS,
}

_ADMINS_ONLY = "Only an owner or admin of the workspace can do this, with a key that has the admin scope."
REFUSALS: Mapping[Permission, str] = MappingProxyType(
    {
        Permission.READ: "This key cannot read; it lacks the read scope.",
        Permission.READ_WORKSPACE: "Your role or key cannot see the workspace.",
        Permission.WRITE: "Your role or key can only read.",
        Permission.CURATE_TEAM_MEMORY: "Only an owner, admin or curator of the workspace can do this.",
        Permission.READ_USAGE: "Only owners, admins, curators and auditors can see the cost of models.",
        Permission.MANAGE_SELF: "This key can only read.",
        Permission.MANAGE_OWN_KEYS: "This key cannot manage keys; it lacks the admin scope.",
        Permission.MANAGE_ALL_KEYS: _ADMINS_ONLY,
        Permission.READ_ALL_OPERATIONS: _ADMINS_ONLY,
        Permission.MANAGE_WORKSPACE: _ADMINS_ONLY,
        Permission.MANAGE_MODELS: _ADMINS_ONLY,
        Permission.MANAGE_MEMBERS: _ADMINS_ONLY,
        Permission.MANAGE_OWNERS: "Only an owner can make, change or remove an owner.",
        Permission.MANAGE_END_USERS: "Only owners, admins and their keys with the scope act_for_users can do this.",
    }
)


def role_allows(role: Role, permission: Permission) -> bool:
    return permission in ROLE_PERMISSIONS[role]


def scopes_of_role(role: Role) -> frozenset[KeyScope]:
    """The scopes that a user with the role may grant to an API key."""
    return frozenset(scope for permission, scope in _SCOPE_OF.items() if role_allows(role, permission))
