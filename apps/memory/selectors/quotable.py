"""Messages that other conversations may quote."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from apps.conversations.models import Message
from apps.memory.models import MemSource, SourceKind


def quotable_elsewhere(owner_id: UUID, message_ids: Collection[UUID]) -> frozenset[UUID]:
    """Return those of a person's messages that their other conversations may quote.

    Not those that ask to forget or not to remember, or say nothing worth keeping, nor those of an import that nobody
    confirmed, nor what a memory came from that was archived since; a copy in a fork is like its original.
    """
    if not message_ids:
        return frozenset()
    quotable = Message.objects.filter(pk__in=message_ids, retrievable=True, conversation__confirmed=True)
    rows = list(quotable.values_list("id", "copied_from"))
    archived = _sources_of_archived(owner_id, {one for row in rows for one in row if one})
    return frozenset(row[0] for row in rows if not archived.intersection(row))


def _sources_of_archived(owner_id: UUID, message_ids: Collection[UUID]) -> set[UUID | None]:
    sources = MemSource.objects.filter(
        kind=SourceKind.MESSAGE,
        reference__in=[str(one) for one in message_ids],
        node__owner_id=owner_id,
        node__archived_at__isnull=False,
        node__merged_into__isnull=True,
    )
    return {UUID(reference) for reference in sources.values_list("reference", flat=True)}
