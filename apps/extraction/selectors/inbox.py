"""The inbox with the quotes that its memories are based on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db.models import QuerySet, Window
from django.db.models.functions import RowNumber

from apps.accounts.actors import Actor
from apps.common.ids import parse_id
from apps.common.pagination import Page
from apps.conversations.models import MessageRole
from apps.conversations.selectors.access import conversations_of
from apps.conversations.selectors.message_positions import MessagePlace, message_places
from apps.engine.extraction.candidate import Speaker
from apps.engine.memory.trust import Source
from apps.extraction.models import ExtractionCandidate, Outcome
from apps.extraction.selectors.candidates import OF_FORGETTING, QUOTED
from apps.inbox.records import InboxItem, InboxMemory, InboxQuery, QuoteRecord
from apps.inbox.selectors.pages import inbox_item, inbox_page
from apps.memory.models import SourceKind

_NOT_QUOTED = (Outcome.REFUSED, Outcome.DELETED, *OF_FORGETTING)
MOST_QUOTES = 5
"""The quotes that are shown of one memory, the newest."""

Quotes = Mapping[UUID, Sequence[QuoteRecord]]

_SPEAKERS = {
    Source.QUOTED.value: Speaker.SELF,
    Source.INFERRED.value: Speaker.SELF,
    Source.OTHER_MEMBER.value: Speaker.MEMBER,
    Source.ASSISTANT.value: Speaker.ASSISTANT,
    Source.TOOL.value: Speaker.TOOL,
    Source.FILE.value: Speaker.TOOL,
}
_ROLES = {
    MessageRole.ASSISTANT.value: Speaker.ASSISTANT,
    MessageRole.TOOL.value: Speaker.TOOL,
    MessageRole.SYSTEM.value: Speaker.SYSTEM,
}


def inbox_page_with_quotes(actor: Actor, query: InboxQuery, *, after: str | None = None, limit: int) -> Page[InboxItem]:
    """Return a page of what waits for the actor, each memory with its quotes."""
    page = inbox_page(actor, query, after=after, limit=limit)
    return Page(_with_quotes(actor, page.data), page.next_cursor)


def inbox_item_with_quotes(actor: Actor, item_id: UUID) -> InboxItem:
    return _with_quotes(actor, [inbox_item(actor, item_id)])[0]


def _with_quotes(actor: Actor, items: Sequence[InboxItem]) -> list[InboxItem]:
    memories = {memory.id: memory for item in items for memory in _memories(item)}
    found = quotes_of(actor, memories.values())

    def quoted(memory: InboxMemory) -> InboxMemory:
        return replace(memory, quotes=tuple(found.get(memory.id, ())))

    return [
        replace(
            item,
            memory=quoted(item.memory),
            replaces=tuple(quoted(one) for one in item.replaces),
            near_duplicates=tuple(replace(one, memory=quoted(one.memory)) for one in item.near_duplicates),
        )
        for item in items
    ]


def quotes_of(actor: Actor, memories: Collection[InboxMemory]) -> Quotes:
    """Return the exact words that were found for each memory; for other messages it comes from, their beginning."""
    found = _exact(actor, [memory.id for memory in memories])
    references = {
        memory.id: [
            ref for one in memory.sources if one.kind == SourceKind.MESSAGE and (ref := parse_id(one.reference))
        ]
        for memory in memories
    }
    places = message_places(actor, {one for named in references.values() for one in named})
    for node_id, message_ids in references.items():
        known = {quote.message_id for quote in found.get(node_id, ())}
        for message_id in message_ids:
            place = places.get(message_id)
            if place is not None and message_id not in known and place.quote:
                found.setdefault(node_id, []).append(_beginning(message_id, place))
    return {node_id: quotes[:MOST_QUOTES] for node_id, quotes in found.items()}


def _exact(actor: Actor, node_ids: Collection[UUID]) -> dict[UUID, list[QuoteRecord]]:
    found: dict[UUID, list[QuoteRecord]] = {}
    for row in _quoting(actor, node_ids):
        if row.node_id is not None:
            found.setdefault(row.node_id, []).append(_quote(row))
    return found


def _quoting(actor: Actor, node_ids: Collection[UUID]) -> QuerySet[Any]:
    """Select the newest candidates of each memory, one for each message, with the `text` that they quote.

    The database cuts the quotes out: a message can be long, and a memory can come from many.
    """
    rows = ExtractionCandidate.objects.filter(node_id__in=node_ids, conversation__in=conversations_of(actor))
    rows = rows.exclude(outcome__in=_NOT_QUOTED).annotate(text=QUOTED).filter(text__regex=r"\S")
    newest = rows.order_by("node_id", "message_id", "-id").distinct("node_id", "message_id")
    numbered = ExtractionCandidate.objects.filter(pk__in=newest.values("pk")).annotate(
        text=QUOTED, place=Window(RowNumber(), partition_by="node_id", order_by="-id")
    )
    shown = numbered.filter(place__lte=MOST_QUOTES).select_related("message", "conversation")
    return shown.defer("message__content", "message__parts").order_by("-id")


def _quote(row: Any) -> QuoteRecord:
    message = row.message
    return QuoteRecord(
        message_id=message.id,
        conversation_id=row.conversation_id,
        conversation_title=row.conversation.title,
        index=message.index,
        role=message.role,
        name=message.name,
        speaker=_speaker(row.source, message.role).value,
        text=row.text,
        is_exact=True,
        start=row.start,
        end=row.end,
        extractor=row.extractor,
        rule=row.rule,
        source=row.source,
        confidence=row.confidence,
    )


def _beginning(message_id: UUID, place: MessagePlace) -> QuoteRecord:
    return QuoteRecord(
        message_id=message_id,
        conversation_id=place.conversation_id,
        conversation_title=place.conversation_title,
        index=place.index,
        role=place.role,
        name=place.name,
        speaker=_speaker("", place.role).value,
        text=place.quote,
        is_exact=False,
    )


def _speaker(source: str, role: str) -> Speaker:
    return _SPEAKERS.get(source) or _ROLES.get(role, Speaker.SELF)


def _memories(item: InboxItem) -> Iterable[InboxMemory]:
    return (item.memory, *item.replaces, *(one.memory for one in item.near_duplicates))
