"""Idempotent replay: the first response to a request is stored for a day and returned for its repeats.

The row is written in the same transaction as the effect. A repeat that arrives while the first request still runs waits
for it on the unique constraint.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import IdempotencyKey
from apps.common.errors import Unprocessable
from apps.common.ids import uuid7

RETENTION = timedelta(hours=24)
_PRUNED = 2_000
_CLAIM = """
INSERT INTO accounts_idempotencykey (id, workspace_id, user_id, key, request_digest, headers, created_at)
VALUES (%s, %s, %s, %s, %s, '{}', now())
ON CONFLICT (workspace_id, user_id, key) DO NOTHING
RETURNING id
"""


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    status: int
    body: Any
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claimed key: `answer` is the stored response, or None if this request is the first."""

    id: UUID
    answer: StoredAnswer | None = None


def idempotency_claim(actor: Actor, *, key: str, digest: str) -> Claim:
    """Claim a key, inside a unit of work. An expired key is claimed again.

    Raises `Unprocessable` if the key was used for a request with another digest.
    """
    _delete_expired(actor, key)
    claimed = _insert(actor, key, digest)
    if claimed is not None:
        return Claim(claimed)
    row = IdempotencyKey.objects.get(workspace_id=actor.workspace_id, user_id=actor.user_id, key=key)
    if row.request_digest != digest:
        raise Unprocessable(
            "This Idempotency-Key was used for a different request. Use a new one.", code="idempotency_key_reused"
        )
    return Claim(row.id, StoredAnswer(row.status or 200, row.body, row.headers))


def idempotency_store(claim: Claim, answer: StoredAnswer) -> None:
    IdempotencyKey.objects.filter(pk=claim.id).update(status=answer.status, body=answer.body, headers=answer.headers)


def idempotency_prune() -> int:
    """Delete some expired keys of the current unit's workspace, oldest first, and return their number."""
    old = IdempotencyKey.objects.filter(created_at__lt=timezone.now() - RETENTION).order_by("created_at")
    removed, _ = IdempotencyKey.objects.filter(pk__in=old.values("pk")[:_PRUNED]).delete()
    return removed


def _delete_expired(actor: Actor, key: str) -> None:
    IdempotencyKey.objects.filter(
        workspace_id=actor.workspace_id, user_id=actor.user_id, key=key, created_at__lt=timezone.now() - RETENTION
    ).delete()


def _insert(actor: Actor, key: str, digest: str) -> UUID | None:
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, [uuid7(), actor.workspace_id, actor.user_id, key, digest])
        row = cursor.fetchone()
    return row[0] if row else None
