"""Excluded messages. They have a partial index, because they are few among many thousands."""

from __future__ import annotations

from uuid import UUID

from django.db.models import F, Value
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Coalesce, Left, NullIf

from apps.accounts.actors import Actor
from apps.common.pagination import Page, page_of
from apps.common.tenancy import use_index_order
from apps.conversations.models import Message
from apps.conversations.records import ExclusionRecord
from apps.conversations.selectors.access import conversation_access

EXCERPT_LENGTH = 200
# A message without content is represented by its first part.
_SAID = Coalesce(NullIf(F("content"), Value("")), KeyTextTransform("text", KeyTransform(0, "parts")), Value(""))


def exclusion_list(actor: Actor, conversation_id: UUID, *, after: str | None, limit: int) -> Page[ExclusionRecord]:
    """Return a page of excluded, not deleted messages, newest first; `after` is the index of the last one seen."""
    conversation_access(actor, conversation_id)
    rows = Message.objects.filter(conversation_id=conversation_id, excluded=True, deleted_at__isnull=True)
    rows = rows.order_by("-index")
    if after:
        rows = rows.filter(index__lt=int(after))
    told = rows.annotate(excerpt=Left(_SAID, EXCERPT_LENGTH), tokens=F("token_count") + F("extra_tokens"))
    fields = ("id", "index", "role", "name", "excerpt", "tokens", "created_at")
    with use_index_order():
        found = [ExclusionRecord(*values) for values in told.values_list(*fields)[: limit + 1]]
    return page_of(found, limit, lambda record: record, lambda record: str(record.index))
