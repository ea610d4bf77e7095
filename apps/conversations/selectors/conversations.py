"""Lists and single conversations."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.pages import Page, page_of
from apps.conversations.records import ConversationRecord, ShareRecord, conversation_record, share_record
from apps.conversations.selectors.access import conversation_access, conversations_of, standing_shares


def conversation_get(actor: Actor, conversation_id: UUID) -> ConversationRecord:
    return conversation_record(conversation_access(actor, conversation_id))


def conversation_list(
    actor: Actor, *, after: str | None, limit: int, archived: bool = False
) -> Page[ConversationRecord]:
    """The newest first; `after` is the id of the last one seen."""
    rows = conversations_of(actor).filter(archived_at__isnull=not archived)
    if after:
        rows = rows.filter(pk__lt=UUID(after))
    return page_of(rows.order_by("-id")[: limit + 1], limit, conversation_record, lambda row: str(row.id))


def conversation_shares(actor: Actor, conversation_id: UUID, *, after: str | None, limit: int) -> Page[ShareRecord]:
    """With whom it is shared, the oldest share first; `after` is the id of the last one seen."""
    conversation_access(actor, conversation_id)
    rows = standing_shares().filter(conversation_id=conversation_id).select_related("user")
    if after:
        rows = rows.filter(pk__gt=UUID(after))
    return page_of(rows.order_by("id")[: limit + 1], limit, share_record, lambda row: str(row.id))
