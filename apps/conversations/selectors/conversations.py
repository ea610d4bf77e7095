"""Lists and single conversations."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.db.models.fields.tuple_lookups import Tuple, TupleLessThan

from apps.accounts.actors import Actor
from apps.common.pagination import Page, page_of
from apps.conversations.models import Conversation, ShareAccess
from apps.conversations.records import ConversationRecord, ShareRecord, conversation_record, share_record
from apps.conversations.selectors.access import (
    access_to,
    active_shares,
    conversation_access,
    own_conversations,
    shared_conversations,
)


def conversation_get(actor: Actor, conversation_id: UUID) -> ConversationRecord:
    return record_for(actor, conversation_access(actor, conversation_id))


def record_for(actor: Actor, row: Conversation) -> ConversationRecord:
    """Return a conversation that the actor may read, with the owner's name if that is somebody else."""
    record = conversation_record(row, access_to(actor, [row]).get(row.id, ShareAccess.READ))
    if row.owner_id == actor.user_id:
        return record
    return replace(record, owner_name=row.owner.name or row.owner.email)


def conversation_list(
    actor: Actor, *, after: str | None, limit: int, archived: bool = False, where: Q | None = None
) -> Page[ConversationRecord]:
    """Return a page of conversations, the most recently active first; `after` is the `_place` of the last one seen.

    `where` is a further condition, such as one on a table of a higher layer.
    """
    condition = Q(archived_at__isnull=not archived) & (where or Q())
    found = [
        row
        for rows in (own_conversations(actor), shared_conversations(actor))
        for row in _beyond(rows.filter(condition), after)[: limit + 1]
    ]
    access = access_to(actor, found)
    seen = sorted((row for row in found if row.id in access), key=lambda row: (row.active_at, row.id), reverse=True)
    return page_of(seen[: limit + 1], limit, lambda row: conversation_record(row, access[row.id]), _place)


def conversation_shares(actor: Actor, conversation_id: UUID, *, after: str | None, limit: int) -> Page[ShareRecord]:
    """Return a page of the conversation's shares, oldest first; `after` is the id of the last one seen."""
    conversation_access(actor, conversation_id)
    rows = active_shares().filter(conversation_id=conversation_id).select_related("user")
    if after:
        rows = rows.filter(pk__gt=UUID(after))
    return page_of(rows.order_by("id")[: limit + 1], limit, share_record, lambda row: str(row.id))


def _place(row: Conversation) -> str:
    return f"{row.active_at.isoformat()} {row.id}"


def _beyond(rows: QuerySet[Conversation], place: str | None) -> QuerySet[Conversation]:
    rows = rows.order_by("-active_at", "-id")
    if not place:
        return rows
    active_at, row_id = place.split()
    last_seen = (datetime.fromisoformat(active_at), UUID(row_id))
    return rows.filter(TupleLessThan(Tuple(F("active_at"), F("id")), last_seen))
