"""People, workspaces and keys as plain data for the edges; the edges take their choices from here too."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.models import ApiKey, ContextSettings, KeyScope, Membership, Role, User
from apps.engine.pack.layers import Depth

ROLES = tuple(Role.values)
KEY_SCOPES = tuple(KeyScope.values)
KNOWLEDGE_DEPTHS = tuple(depth.value for depth in Depth)


@dataclass(frozen=True, slots=True)
class UserRecord:
    id: UUID
    email: str
    name: str
    is_operator: bool
    created_at: datetime

    @property
    def is_authenticated(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class WorkspaceRecord:
    """`role` is the reader's own in it."""

    id: UUID
    name: str
    role: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class MemberRecord:
    user_id: UUID
    email: str
    name: str
    role: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ApiKeyRecord:
    id: UUID
    name: str
    prefix: str
    user_id: UUID
    scopes: list[str]
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class NewApiKey:
    """`secret` is the whole key; it is shown this once and kept nowhere."""

    key: ApiKeyRecord
    secret: str


@dataclass(frozen=True, slots=True)
class KeyHolder:
    """What a valid key says: whom it acts for, and how far."""

    user: UserRecord
    actor: Actor


@dataclass(frozen=True, slots=True)
class Ticket:
    """A secret for one use within so many seconds."""

    ticket: str
    expires_in_s: int


@dataclass(frozen=True, slots=True)
class PolicyRecord:
    """`version` is 0 until the workspace changes something."""

    version: int
    effective: dict[str, Any]
    overrides: dict[str, Any]
    installation: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ContextSettingsRecord:
    """`version` is 0 until the person changes something; an empty `token_budget` is the workspace's."""

    version: int
    knowledge_depth: Depth
    history_first: bool
    token_budget: int | None


def user_record(row: User) -> UserRecord:
    return UserRecord(row.id, row.email, row.name, row.is_staff, row.created_at)


def workspace_record(row: Membership) -> WorkspaceRecord:
    return WorkspaceRecord(row.workspace_id, row.workspace.name, row.role, row.workspace.created_at)


def member_record(row: Membership) -> MemberRecord:
    return MemberRecord(row.user_id, row.user.email, row.user.name, row.role, row.created_at)


def context_settings_record(row: ContextSettings) -> ContextSettingsRecord:
    return ContextSettingsRecord(row.version, Depth(row.knowledge_depth), row.history_first, row.token_budget)


def api_key_record(row: ApiKey) -> ApiKeyRecord:
    return ApiKeyRecord(
        id=row.id,
        name=row.name,
        prefix=f"ck_{row.prefix}",
        user_id=row.user_id,
        scopes=sorted(row.scopes),
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        last_used_at=row.last_used_at,
        created_at=row.created_at,
    )
