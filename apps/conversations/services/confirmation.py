"""A person's word that what was imported into a conversation is their own: else nothing in it counts as theirs."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from apps.conversations.models import Conversation


def conversations_confirm(conversation_ids: Collection[UUID], *, confirmed: bool = True) -> frozenset[UUID]:
    """Note that a person confirmed an import into these conversations, or did not; return those that this changes.

    Runs in the caller's unit of work.
    """
    if not conversation_ids:
        return frozenset()
    rows = Conversation.objects.select_for_update(no_key=True).filter(pk__in=conversation_ids)
    changed = frozenset(rows.exclude(confirmed=confirmed).order_by("pk").values_list("pk", flat=True))
    Conversation.objects.filter(pk__in=changed).update(confirmed=confirmed)
    return changed
