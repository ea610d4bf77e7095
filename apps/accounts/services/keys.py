"""Creation, authentication and revocation of API keys. A secret is returned once and stored only as a hash."""

from __future__ import annotations

import secrets
import string
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from apps.accounts.actors import Actor, require
from apps.accounts.models import ApiKey, KeyScope
from apps.accounts.permissions import Permission, scopes_of_role
from apps.accounts.records import ApiKeyRecord, KeyHolder, NewApiKey, api_key_record
from apps.accounts.selectors.keys import api_key_digest, api_key_find, api_keys_of
from apps.common.errors import Forbidden, Invalid, NotFound
from apps.events.publish import publish
from apps.events.types import AccessRevoked

_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_PREFIX_LENGTH = 8
_SECRET_LENGTH = 43  # base-62 characters, equivalent to 32 bytes
_LAST_USED_INTERVAL = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class ApiKeyDraft:
    name: str
    scopes: frozenset[str]
    expires_at: datetime | None = None


def api_key_create(actor: Actor, *, draft: ApiKeyDraft) -> NewApiKey:
    """Create a key of the actor, with at most the actor's scopes."""
    require(actor, Permission.MANAGE_OWN_KEYS)
    require_scopes(actor, draft.scopes)
    if draft.expires_at is not None and draft.expires_at <= timezone.now():
        raise Invalid("The expiration date is in the past.", extra=_error("/expires_at", "Must be in the future."))
    prefix = _random(_PREFIX_LENGTH)
    secret = f"ck_{prefix}_{_random(_SECRET_LENGTH)}"
    row = ApiKey.objects.create(
        workspace_id=actor.workspace_id,
        user_id=actor.user_id,
        name=draft.name,
        prefix=prefix,
        digest=api_key_digest(secret),
        scopes=sorted(draft.scopes),
        expires_at=draft.expires_at,
    )
    return NewApiKey(api_key_record(row), secret)


def api_key_authenticate(secret: str) -> KeyHolder:
    """Authenticate a key and return its holder; updates `last_used_at` at most once a minute."""
    key, holder = api_key_find(secret)
    now = timezone.now()
    if key.last_used_at is None or key.last_used_at < now - _LAST_USED_INTERVAL:
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - _LAST_USED_INTERVAL)
        ApiKey.objects.filter(stale, pk=key.id).update(last_used_at=now)
    return holder


def api_key_revoke(actor: Actor, *, key_id: UUID) -> ApiKeyRecord:
    """Revoke a key, effective with the next request. Idempotent."""
    require(actor, Permission.MANAGE_OWN_KEYS)
    row = api_keys_of(actor).select_for_update().filter(pk=key_id).first()
    if row is None:
        raise NotFound("API key not found.")
    row.revoked_at = row.revoked_at or timezone.now()
    row.save(update_fields=["revoked_at"])
    publish(AccessRevoked(workspace_id=row.workspace_id, user_id=row.user_id, key_id=row.id))
    return api_key_record(row)


def require_scopes(actor: Actor, scopes: Iterable[str]) -> None:
    """Raise `Forbidden` unless the actor has the scopes that a key is to get, or manages the keys of applications."""
    own = actor.scopes | ({KeyScope.ACT_FOR_USERS} if KeyScope.ADMIN in actor.scopes else frozenset())
    excess = sorted(set(scopes) - (scopes_of_role(actor.role) & own))
    if excess:
        reason = f"A key cannot have more permissions than you: {', '.join(excess)}."
        raise Forbidden(reason, code="scope_exceeds_role", extra=_error("/scopes", reason))


def _error(pointer: str, detail: str) -> dict[str, list[dict[str, str]]]:
    return {"errors": [{"pointer": pointer, "code": "invalid", "detail": detail}]}


def _random(length: int) -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))
