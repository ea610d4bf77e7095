"""API keys: finding the one that was sent, and listing them without their secrets."""

from __future__ import annotations

import hashlib
import hmac
import re
from datetime import datetime
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import ApiKey, KeyScope, Membership, Role
from apps.accounts.permissions import Permission
from apps.accounts.records import ApiKeyRecord, KeyHolder, api_key_record, user_record
from apps.common.errors import NotSignedIn
from apps.common.pagination import Page, page_of
from apps.common.prepared_queries import first, kept

_SHAPE = re.compile(r"ck_([0-9A-Za-z]{8})_[0-9A-Za-z]{43}")


def api_key_digest(secret: str) -> str:
    """A plain hash is enough: nobody searches 256 random bits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def api_key_find(secret: str) -> tuple[ApiKey, KeyHolder]:
    """The key and its holder; one refusal for every reason, so that nothing is learned from it."""
    row = _by_prefix(secret)
    if row is None or not hmac.compare_digest(row.digest, api_key_digest(secret)) or not _in_force(row):
        raise NotSignedIn("The API key is not valid.", code="invalid_key")
    return row, KeyHolder(user_record(row.user), _actor(row))


def api_key_actor(key_id: UUID) -> Actor | None:
    """Whom the key acts for, while it is in force."""
    row = _with_role(ApiKey.objects.filter(pk=key_id)).first()
    return _actor(row) if row is not None and _in_force(row) else None


def api_key_list(actor: Actor, *, after: str | None, limit: int) -> Page[ApiKeyRecord]:
    """The actor's own keys, to an administrator those of the whole workspace; the newest first."""
    rows = api_keys_of(actor).order_by("-id")
    if after:
        rows = rows.filter(pk__lt=UUID(after))
    return page_of(rows[: limit + 1], limit, api_key_record, lambda row: str(row.id))


def api_keys_of(actor: Actor) -> QuerySet[ApiKey]:
    rows = ApiKey.objects.filter(workspace_id=actor.workspace_id)
    return rows if actor.may(Permission.MANAGE_ALL_KEYS) else rows.filter(user_id=actor.user_id)


def _by_prefix(secret: str) -> ApiKey | None:
    shape = _SHAPE.fullmatch(secret)
    if shape is None:
        return None
    return first(_with_prefix(shape[1]))


@kept
def _with_prefix(prefix: str) -> QuerySet[ApiKey]:
    return _with_role(ApiKey.objects.filter(prefix=prefix))


def _with_role(rows: QuerySet[ApiKey]) -> QuerySet[ApiKey]:
    role = Membership.objects.filter(workspace=OuterRef("workspace"), user=OuterRef("user")).values("role")
    return rows.select_related("user").annotate(role=Subquery(role))


def _in_force(row: ApiKey) -> bool:
    """A key lives no longer than its holder's membership, which gives it its role."""
    now: datetime = timezone.now()
    expired = row.expires_at is not None and row.expires_at <= now
    return not expired and row.revoked_at is None and row.user.is_active and _role(row) is not None


def _role(row: ApiKey) -> str | None:
    role: str | None = getattr(row, "role", None)
    return role


def _actor(row: ApiKey) -> Actor:
    return Actor(
        user_id=row.user_id,
        workspace_id=row.workspace_id,
        role=Role(_role(row) or Role.VIEWER),
        scopes=frozenset(KeyScope(scope) for scope in row.scopes),
        key_id=row.id,
    )
