"""Authentication by API key, and lists of keys without their secrets."""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import ApiKey, KeyScope, Role
from apps.accounts.permissions import Permission
from apps.accounts.records import ApiKeyRecord, KeyHolder, UserRecord, api_key_record
from apps.accounts.selectors.end_users import end_user_actor
from apps.common.errors import NotSignedIn
from apps.common.pagination import Page, page_of

_PATTERN = re.compile(r"ck_([0-9A-Za-z]{8})_[0-9A-Za-z]{43}")
# Runs for every request with an API key. Raw SQL for speed; the table has no row-level security.
_READ = """
SELECT holder.id, holder.email, holder.name, holder.is_staff, holder.created_at, holder.tour_done,
    holder.time_zone, holder.is_active, membership.role,
    key.id, key.workspace_id, key.digest, key.scopes, key.expires_at, key.revoked_at, key.last_used_at
FROM accounts_apikey AS key JOIN accounts_user AS holder ON holder.id = key.user_id
LEFT JOIN accounts_membership AS membership
    ON membership.workspace_id = key.workspace_id AND membership.user_id = key.user_id
WHERE key.{column} = %s
"""
_BY_PREFIX, _BY_ID = _READ.format(column="prefix"), _READ.format(column="id")


@dataclass(frozen=True, slots=True)
class StoredKey:
    """A key with its holder, and the holder's role in the key's workspace."""

    holder: UserRecord
    holder_is_active: bool
    role: str | None
    id: UUID
    workspace_id: UUID
    digest: str
    scopes: list[str]
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None

    @property
    def is_valid(self) -> bool:
        """Whether the key is in force. It ends with its holder's membership, which provides its role."""
        now: datetime = timezone.now()
        expired = self.expires_at is not None and self.expires_at <= now
        return not expired and self.revoked_at is None and self.holder_is_active and self.role is not None

    @property
    def actor(self) -> Actor:
        return Actor(
            user_id=self.holder.id,
            workspace_id=self.workspace_id,
            role=Role(self.role or Role.VIEWER),
            scopes=frozenset(KeyScope(scope) for scope in self.scopes),
            key_id=self.id,
            time_zone=self.holder.time_zone,
        )


def api_key_digest(secret: str) -> str:
    """Hash a key. A plain SHA-256 suffices, because 256 random bits cannot be guessed."""
    return hashlib.sha256(secret.encode()).hexdigest()


def api_key_find(secret: str) -> tuple[StoredKey, KeyHolder]:
    """Find a valid key and its holder; raises the same `NotSignedIn` for every reason, to reveal nothing."""
    match = _PATTERN.fullmatch(secret)
    key = _key(_BY_PREFIX, match[1]) if match else None
    if key is None or not hmac.compare_digest(key.digest, api_key_digest(secret)) or not key.is_valid:
        raise NotSignedIn("The API key is not valid.", code="invalid_key")
    return key, KeyHolder(key.holder, key.actor)


def api_key_actor(key_id: UUID, user_id: UUID | None = None) -> Actor | None:
    """The actor of a key, while it is valid; with a `user_id` other than its holder's, that of this end user."""
    key = _key(_BY_ID, key_id)
    if key is None or not key.is_valid:
        return None
    return key.actor if user_id in (None, key.holder.id) else end_user_actor(key.actor, user_id)


def api_key_list(actor: Actor, *, after: str | None, limit: int) -> Page[ApiKeyRecord]:
    """The actor's own keys, or for administrators all keys of the workspace, newest first."""
    rows = api_keys_of(actor).order_by("-id")
    if after:
        rows = rows.filter(pk__lt=UUID(after))
    return page_of(rows[: limit + 1], limit, api_key_record, lambda row: str(row.id))


def api_keys_of(actor: Actor) -> QuerySet[ApiKey]:
    rows = ApiKey.objects.filter(workspace_id=actor.workspace_id)
    return rows if actor.may(Permission.MANAGE_ALL_KEYS) else rows.filter(user_id=actor.user_id)


def _key(statement: str, value: str | UUID) -> StoredKey | None:
    with connection.cursor() as cursor:
        cursor.execute(statement, [value])
        row = cursor.fetchone()
    return StoredKey(UserRecord(*row[:7]), *row[7:]) if row else None
