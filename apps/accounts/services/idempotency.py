"""The first answer to a request, kept a day and given again to its repeats.

The row is written in the transaction of the effect: both are stored or neither. A repeat that comes while the first
still runs waits for it at the unique constraint.
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
    """Either the right to answer first, or the answer that was given."""

    id: UUID
    answer: StoredAnswer | None = None


def idempotency_claim(actor: Actor, *, key: str, digest: str) -> Claim:
    """Inside a unit. The same key for another request is refused; one older than a day is as good as new."""
    _forget_expired(actor, key)
    claimed = _insert(actor, key, digest)
    if claimed is not None:
        return Claim(claimed)
    row = IdempotencyKey.objects.get(workspace_id=actor.workspace_id, user_id=actor.user_id, key=key)
    if row.request_digest != digest:
        raise Unprocessable("This Idempotency-Key was used for another request.", code="idempotency_key_reused")
    return Claim(row.id, StoredAnswer(row.status or 200, row.body, row.headers))


def idempotency_store(claim: Claim, answer: StoredAnswer) -> None:
    IdempotencyKey.objects.filter(pk=claim.id).update(status=answer.status, body=answer.body, headers=answer.headers)


def idempotency_prune() -> int:
    """Remove what is older than a day from the current unit's workspace."""
    removed, _ = IdempotencyKey.objects.filter(created_at__lt=timezone.now() - RETENTION).delete()
    return removed


def _forget_expired(actor: Actor, key: str) -> None:
    IdempotencyKey.objects.filter(
        workspace_id=actor.workspace_id, user_id=actor.user_id, key=key, created_at__lt=timezone.now() - RETENTION
    ).delete()


def _insert(actor: Actor, key: str, digest: str) -> UUID | None:
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, [uuid7(), actor.workspace_id, actor.user_id, key, digest])
        row = cursor.fetchone()
    return row[0] if row else None
