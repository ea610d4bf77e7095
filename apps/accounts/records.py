"""Users, workspaces and API keys as plain data, and the values of their enums, for the API and other edges."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.models import (
    END_USER_ID_LENGTH,
    MEMBER_ROLES,
    ApiKey,
    ContextSettings,
    EndUser,
    Invitation,
    KeyScope,
    Membership,
    PairedClient,
    Role,
    User,
)
from apps.engine.pack.layers import Depth

ROLES = tuple(Role.values)
ROLES_OF_MEMBERS = tuple(role.value for role in MEMBER_ROLES)
LONGEST_END_USER_ID = END_USER_ID_LENGTH
KEY_SCOPES = tuple(KeyScope.values)
KNOWLEDGE_DEPTHS = tuple(depth.value for depth in Depth)


@dataclass(frozen=True, slots=True)
class UserRecord:
    id: UUID
    email: str
    name: str
    is_operator: bool
    created_at: datetime
    tour_done: bool = False
    time_zone: str = ""

    @property
    def is_authenticated(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class WorkspaceRecord:
    """A workspace, with the reader's role in it."""

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
class InvitationRecord:
    """A pending invitation; `invited_by` is the name of the person who sent it."""

    id: UUID
    email: str
    role: str
    invited_by: str
    workspace_name: str
    expires_at: datetime
    created_at: datetime


@dataclass(frozen=True, slots=True)
class NewInvitation:
    """A new invitation; `secret` is the last part of its link, which is shown once and never stored."""

    invitation: InvitationRecord
    secret: str


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
    """A new key; `secret` is the complete key, which is shown once and never stored."""

    key: ApiKeyRecord
    secret: str


@dataclass(frozen=True, slots=True)
class KeyHolder:
    """The user and the actor of a valid API key."""

    user: UserRecord
    actor: Actor


@dataclass(frozen=True, slots=True)
class EndUserRecord:
    """A user of an application, by the application's own id."""

    id: UUID
    external_id: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class PairingRecord:
    """A pairing as the person who decides on it sees it; the workspace is the one that its key is for."""

    user_code: str
    client: str
    name: str
    version: str
    status: str
    workspace_id: UUID
    workspace_name: str
    requested_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class NewPairing:
    """A new pairing; `device_code` is the client's secret, which is never stored."""

    device_code: str
    user_code: str


@dataclass(frozen=True, slots=True)
class PairedKey:
    """The key of an approved pairing, with the names of its workspace and its user."""

    key: NewApiKey
    workspace: WorkspaceRecord
    user: UserRecord


@dataclass(frozen=True, slots=True)
class PairedClientRecord:
    """A paired client with its user's name; `revoked_at` is its key's."""

    id: UUID
    key_id: UUID
    user_id: UUID
    user_name: str
    client: str
    name: str
    version: str
    paired_at: datetime
    last_event_at: datetime | None
    last_event: str
    event_count: int
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class Ticket:
    """A single-use secret with an expiry."""

    ticket: str
    expires_in_s: int


@dataclass(frozen=True, slots=True)
class PolicyRecord:
    """A workspace's policy; `version` is 0 until it has overrides."""

    version: int
    effective: dict[str, Any]
    overrides: dict[str, Any]
    installation: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ContextSettingsRecord:
    """A member's context settings; `version` is 0 until changed, and a missing `token_budget` is the workspace's."""

    version: int
    knowledge_depth: Depth
    history_first: bool
    token_budget: int | None
    remembers: bool = True


def user_record(row: User) -> UserRecord:
    return UserRecord(row.id, row.email, row.name, row.is_staff, row.created_at, row.tour_done, row.time_zone)


def workspace_record(row: Membership) -> WorkspaceRecord:
    return WorkspaceRecord(row.workspace_id, row.workspace.name, row.role, row.workspace.created_at)


def member_record(row: Membership) -> MemberRecord:
    return MemberRecord(row.user_id, row.user.email, row.user.name, row.role, row.created_at)


def end_user_record(row: EndUser) -> EndUserRecord:
    return EndUserRecord(row.user_id, row.external_id, row.created_at)


def invitation_record(row: Invitation) -> InvitationRecord:
    return InvitationRecord(
        id=row.id,
        email=row.email,
        role=row.role,
        invited_by=row.invited_by.name or row.invited_by.email,
        workspace_name=row.workspace.name,
        expires_at=row.expires_at,
        created_at=row.created_at,
    )


def context_settings_record(row: ContextSettings) -> ContextSettingsRecord:
    depth = Depth(row.knowledge_depth)
    return ContextSettingsRecord(row.version, depth, row.history_first, row.token_budget, row.remembers)


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


def paired_client_record(row: PairedClient) -> PairedClientRecord:
    return PairedClientRecord(
        id=row.id,
        key_id=row.api_key_id,
        user_id=row.user_id,
        user_name=row.user.name or row.user.email,
        client=row.client,
        name=row.name,
        version=row.version,
        paired_at=row.paired_at,
        last_event_at=row.last_event_at,
        last_event=row.last_event,
        event_count=row.event_count,
        revoked_at=row.api_key.revoked_at,
    )
