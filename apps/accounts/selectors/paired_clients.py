"""Paired clients: a person's own, or for administrators those of the whole workspace."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet

from apps.accounts.actors import Actor
from apps.accounts.models import PairedClient
from apps.accounts.permissions import Permission
from apps.accounts.records import PairedClientRecord, paired_client_record
from apps.accounts.selectors.keys import api_key_actor
from apps.common.errors import Ended, NotFound
from apps.common.pagination import Page, page_of

REVOKED = "The key of this client was revoked or has expired. Pair it again."


def paired_client_list(actor: Actor, *, after: str | None, limit: int) -> Page[PairedClientRecord]:
    """Paired clients, newest first, those with a revoked key included."""
    rows = _paired_clients_of(actor).order_by("-id")
    if after:
        rows = rows.filter(pk__lt=UUID(after))
    return page_of(rows[: limit + 1], limit, paired_client_record, lambda row: str(row.id))


def paired_client_get(actor: Actor, paired_client_id: UUID) -> PairedClientRecord:
    row = _paired_clients_of(actor).filter(pk=paired_client_id).first()
    if row is None:
        raise NotFound("Paired client not found.")
    return paired_client_record(row)


def paired_client_actor(actor: Actor, paired_client_id: UUID) -> Actor:
    """Return the actor of a client's own key, for the person who paired it alone: it reads their private memories."""
    paired = paired_client_get(actor, paired_client_id)
    if paired.user_id != actor.user_id:
        raise NotFound("Paired client not found.")
    as_client = api_key_actor(paired.key_id)
    if as_client is None:
        raise Ended(REVOKED, code="agent_revoked")
    return as_client


def _paired_clients_of(actor: Actor) -> QuerySet[PairedClient]:
    rows = PairedClient.objects.filter(workspace_id=actor.workspace_id).select_related("api_key", "user")
    return rows if actor.may(Permission.MANAGE_ALL_KEYS) else rows.filter(user_id=actor.user_id)
