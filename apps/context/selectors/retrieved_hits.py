"""Items of a pack from the hits of a search: with their texts, their sources and what corrects them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from uuid import UUID

from django.utils import timezone

from apps.accounts.time_zones import local_day, where_written
from apps.conversations.models import Conversation, Message, MessageRole
from apps.conversations.records import engine_message
from apps.conversations.selectors.messages import messages_within, origins_of
from apps.engine.extraction.own_words import without_private
from apps.engine.extraction.titles import public_title
from apps.engine.memory.trust import Trust
from apps.engine.messages.canned_replies import is_canned_reply
from apps.engine.messages.display import display_text
from apps.engine.pack.retrieved import RetrievedItem, disputed_note, is_informative, superseded_note
from apps.memory.models import SourceKind
from apps.memory.records.search import Hit
from apps.memory.records.tree import SourceRecord
from apps.memory.selectors.nodes import sources_of
from apps.memory.selectors.quotable import quotable_elsewhere

_DIGITS = 3
# What a tool or another application wrote stays in its own conversation.
_QUOTED_ROLES = (MessageRole.USER, MessageRole.ASSISTANT)


def retrieved_from_hits(
    conversation_id: UUID, items: Sequence[Hit], known_texts: Collection[str] = (), again: Sequence[Hit] = ()
) -> Iterator[RetrievedItem]:
    """Convert informative hits to items of a pack; decay does not affect whether a memory is informative.

    `known_texts` are those of the conversation's messages: other conversations may have copies, which are dropped. Of
    these conversations only what people and assistants said is quoted, without its `<private>` parts. What was
    retrieved for the last reply, `again`, comes last unless it is among the informative hits for this message.
    """
    best = max((hit.score_without_decay for hit in items), default=0.0)
    hits = [hit for hit in items if is_informative(hit.score_without_decay, best)]
    yield from _items(conversation_id, hits, known_texts)
    rest = [hit for hit in again if hit not in hits]
    yield from (replace(item, again=True) for item in _items(conversation_id, rest, known_texts))


def _items(conversation_id: UUID, hits: Sequence[Hit], known_texts: Collection[str]) -> Iterator[RetrievedItem]:
    others = origins_of({hit.conversation_id for hit in hits if hit.conversation_id} - {conversation_id})
    rows = messages_within((conversation_id, *others), [hit.message_id for hit in hits if hit.message_id])
    messages_by_id = {message.id: message for message in _quotable(conversation_id, rows)}
    sources = sources_of([hit.id for hit in hits if hit.message_id is None])
    known = {*known_texts, *(display_text(engine_message(row)) for row in rows if row.conversation_id not in others)}
    for hit in hits:
        if hit.message_id is None:
            yield _memory(hit, _messages(sources.get(hit.id, ())))
        elif row := messages_by_id.get(hit.message_id):
            item = _message(hit, row)
            if row.conversation_id not in others:
                yield item
            elif hit.role in _QUOTED_ROLES and item.text not in known and not is_canned_reply(item.text):
                known.add(item.text)
                yield from _of_other(item, hit, others[row.conversation_id])


def _quotable(conversation_id: UUID, rows: Collection[Message]) -> list[Message]:
    """The conversation's own messages, and those of its owner's other ones that may be quoted here."""
    of_others = [row.id for row in rows if row.conversation_id != conversation_id]
    if not of_others:
        return list(rows)
    owner_id = Conversation.objects.values_list("owner_id", flat=True).get(pk=conversation_id)
    allowed = quotable_elsewhere(owner_id, of_others)
    return [row for row in rows if row.conversation_id == conversation_id or row.id in allowed]


def _of_other(item: RetrievedItem, hit: Hit, conversation: Conversation) -> Iterator[RetrievedItem]:
    """A message of another conversation, without its private parts: with the title, and no index in its origin."""
    if text := without_private(item.text).strip():
        yield replace(
            item,
            text=text,
            origin=_origin_elsewhere(hit, item.date, conversation),
            conversation_id=str(conversation.id),
            conversation_title=public_title(conversation.title),
        )


def _origin_elsewhere(hit: Hit, date: str, conversation: Conversation) -> str:
    """Who said it when. Where others could write, any of them may have sent any message, under any name."""
    if conversation.others_could_write:
        author = "a member" if hit.role == MessageRole.USER else hit.role
        return f"{author} {date}, in a shared conversation, not confirmed"
    return f"{hit.name or hit.role} {date}"


def _memory(hit: Hit, message_ids: tuple[str, ...]) -> RetrievedItem:
    return RetrievedItem(
        id=str(hit.id),
        origin=hit.uri,
        text=hit.abstract or hit.snippet,
        sources=message_ids,
        correction=_correction(hit),
        score=_rounded(hit.score),
        similarity=_rounded(hit.similarity),
        chance=_chance(hit),
        version=hit.version,
        date=_date(hit),
        # User memory has no trust of its own: the person wrote it.
        trust=Trust(hit.trust or Trust.DIRECT_USER),
    )


def _message(hit: Hit, row: Message) -> RetrievedItem:
    return RetrievedItem(
        id=str(row.id),
        origin=_origin(hit, row),
        text=hit.tool_text or display_text(engine_message(row)),
        index=row.index,
        correction=_correction(hit),
        score=_rounded(hit.score),
        similarity=_rounded(hit.similarity),
        chance=_chance(hit),
        date=_day_of(row),
    )


def _day_of(row: Message) -> str:
    """The day on which a message was written, for who wrote it."""
    zone = timezone.get_current_timezone()
    return where_written(row.created_at, row.utc_offset, zone).date().isoformat()


def _date(hit: Hit) -> str:
    return local_day(hit.stated_at)


def _chance(hit: Hit) -> float | None:
    return None if hit.chance is None else _rounded(hit.chance)


def _rounded(value: float) -> float:
    """Round a number that changes a little with every millisecond of decay."""
    return round(value, _DIGITS)


def _messages(sources: Sequence[SourceRecord]) -> tuple[str, ...]:
    """Ids of the messages a memory was derived from; none if it has other sources too."""
    return tuple(one.reference for one in sources) if all(one.kind == SourceKind.MESSAGE for one in sources) else ()


def _correction(hit: Hit) -> str:
    if hit.replaced_by and hit.replaced_at:
        return superseded_note(hit.replaced_by, local_day(hit.replaced_at))
    return disputed_note(hit.disputed_by) if hit.disputed_by else ""


def _origin(hit: Hit, row: Message) -> str:
    author = hit.role if hit.tool_text else hit.name or hit.role
    return f"{hit.index} {author} {_day_of(row)}"


def memory_ids(items: Sequence[RetrievedItem]) -> list[UUID]:
    """Ids of the items that are memories."""
    return [UUID(one.id) for one in items if one.is_memory]
