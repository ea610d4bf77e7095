"""Lists and single conversations."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db.models import F, QuerySet
from django.db.models.fields.tuple_lookups import Tuple, TupleLessThan

from apps.accounts.actors import Actor
from apps.common.pages import Page, page_of
from apps.conversations.models import Conversation
from apps.conversations.records import ConversationRecord, ShareRecord, conversation_record, share_record
from apps.conversations.selectors.access import access_to, conversation_access, conversations_of, standing_shares


def conversation_get(actor: Actor, conversation_id: UUID) -> ConversationRecord:
    row = conversation_access(actor, conversation_id)
    return conversation_record(row, access_to(actor, [row])[row.id])


def conversation_list(
    actor: Actor, *, after: str | None, limit: int, archived: bool = False
) -> Page[ConversationRecord]:
    """The last one that somebody wrote in first; `after` is the `_place` of the last one seen."""
    rows = conversations_of(actor).filter(archived_at__isnull=not archived)
    if after:
        rows = _beyond(rows, after)
    found = list(rows.order_by("-active_at", "-id")[: limit + 1])
    access = access_to(actor, found)
    return page_of(found, limit, lambda row: conversation_record(row, access[row.id]), _place)


def conversation_shares(actor: Actor, conversation_id: UUID, *, after: str | None, limit: int) -> Page[ShareRecord]:
    """With whom it is shared, the oldest share first; `after` is the id of the last one seen."""
    conversation_access(actor, conversation_id)
    rows = standing_shares().filter(conversation_id=conversation_id).select_related("user")
    if after:
        rows = rows.filter(pk__gt=UUID(after))
    return page_of(rows.order_by("id")[: limit + 1], limit, share_record, lambda row: str(row.id))


def _place(row: Conversation) -> str:
    return f"{row.active_at.isoformat()} {row.id}"


def _beyond(rows: QuerySet[Conversation], place: str) -> QuerySet[Conversation]:
    active_at, row_id = place.split()
    last_seen = (datetime.fromisoformat(active_at), UUID(row_id))
    return rows.filter(TupleLessThan(Tuple(F("active_at"), F("id")), last_seen))
