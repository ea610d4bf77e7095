"""Reads of messages whose cost depends on the requested amount, never on the length of the conversation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Lookup, OrderBy, QuerySet
from django.db.models.lookups import GreaterThan, LessThan

from apps.accounts.actors import Actor
from apps.common.errors import NotFound
from apps.common.models import columns_of
from apps.common.pagination import Page, page_of
from apps.common.reads import fetch_models
from apps.common.tenancy import current_workspace_id, use_index_order
from apps.conversations.models import INCLUDED_PLACE, LIVE_PLACE, Conversation, Message, MessageRole, MessageStatus
from apps.conversations.records import MessageRecord, engine_message, message_importance, message_record
from apps.conversations.selectors.access import conversation_access
from apps.engine.messages.display import shown_tokens
from apps.llm.selectors.usage import usage_of_replies

_CHUNK = 64
# Greater than every index.
_END = 2**31 - 1
# The inner limit keeps the planner from reading a whole conversation to join it with a few indexes, and from choosing
# another index for the order, which it cannot tell apart just after an import.
_THROUGH = """
SELECT found."index", found.tokens_through FROM unnest(%s::int[]) AS wanted (place)
CROSS JOIN LATERAL (
    SELECT "index", tokens_through FROM conversations_message
    WHERE workspace_id = %s AND conversation_id = %s AND "index" >= wanted.place ORDER BY "index" LIMIT 1
) AS found
WHERE found."index" = wanted.place
"""
# Likewise: only the primary key can serve this.
_BY_ID = f"""
SELECT {columns_of(Message, "found")} FROM unnest(%s::uuid[]) AS wanted (place)
CROSS JOIN LATERAL (SELECT * FROM conversations_message WHERE id = wanted.place LIMIT 1) AS found
WHERE found.conversation_id = ANY(%s::uuid[]) ORDER BY found.conversation_id, found."index"
"""  # noqa: S608  # the only inserted text is the names of columns
_CHUNKS = f"""
SELECT {columns_of(Message, "message")} FROM conversations_message AS message
WHERE workspace_id = %(workspace)s AND conversation_id = %(conversation)s AND NOT excluded AND {{onward}} LIMIT {_CHUNK}
"""  # noqa: S608  # the inserted text is the names of columns and a number
# Each by the expression of its partial index, see `FROM_THE_END` and the other walks.
_LIVE_BEFORE = _CHUNKS.format(
    onward='compacted_in IS NULL AND "index"::bigint < %(index)s::bigint ORDER BY "index"::bigint DESC'
)
_LIVE_AFTER = _CHUNKS.format(
    onward='compacted_in IS NULL AND "index"::bigint > %(index)s::bigint ORDER BY "index"::bigint'
)
_NEWEST_LIVE = f"""
SELECT {columns_of(Message, "message")} FROM conversations_message AS message
WHERE workspace_id = %(workspace)s AND conversation_id = %(conversation)s AND NOT excluded AND compacted_in IS NULL
ORDER BY "index"::bigint DESC LIMIT %(count)s
"""  # noqa: S608  # the only inserted text is the names of columns
_INCLUDED_BEFORE = _CHUNKS.format(onward='"index"::float8 < %(index)s::float8 ORDER BY "index"::float8 DESC')
_UNSAID = frozenset({MessageStatus.STREAMING, MessageStatus.FAILED})


@dataclass(frozen=True, slots=True)
class Walk:
    """An order, and the condition for rows after an index in it."""

    order: OrderBy
    onward: Callable[[int], Lookup[Any]]


@dataclass(frozen=True, slots=True)
class Newest:
    """Messages, oldest first, and the number of rows that were read for them."""

    messages: list[Message]
    passed: int


@dataclass(frozen=True, slots=True)
class Weight:
    """The input for choosing key messages: a message's importance and its cost in tokens."""

    index: int
    id: UUID
    importance: float
    live_cost: int


# Each order matches only its own index, so that the planner cannot choose another and skip thousands of rows.
FROM_THE_END = Walk(LIVE_PLACE.desc(), lambda index: LessThan(LIVE_PLACE, index))
FROM_THE_BEGINNING = Walk(LIVE_PLACE.asc(), lambda index: GreaterThan(LIVE_PLACE, index))
INCLUDED_FROM_THE_END = Walk(INCLUDED_PLACE.desc(), lambda index: LessThan(INCLUDED_PLACE, index))


def message_list(
    actor: Actor, conversation_id: UUID, *, after: str | None, limit: int, from_index: int = 0
) -> Page[MessageRecord]:
    """Return a page in order; `after` is the index of the last one seen; without it the page begins at `from_index`."""
    conversation_access(actor, conversation_id)
    rows = _messages(conversation_id).filter(index__gte=int(after) + 1 if after else from_index)
    return _page(list(rows.order_by("index")[: limit + 1]), limit)


def messages_by_id(actor: Actor, conversation_id: UUID, message_ids: Iterable[UUID]) -> Page[MessageRecord]:
    """Return those of these messages that the conversation has, in order, on one page."""
    conversation_access(actor, conversation_id)
    found = messages_at(conversation_id, message_ids)
    return _page(found, len(found))


def _page(rows: Sequence[Message], limit: int) -> Page[MessageRecord]:
    usages = usage_of_replies([row.id for row in rows])
    return page_of(rows, limit, lambda row: message_record(row, usages.get(row.id)), lambda row: str(row.index))


def message_get(actor: Actor, conversation_id: UUID, message_id: UUID) -> MessageRecord:
    conversation_access(actor, conversation_id)
    row = message_of(conversation_id, message_id)
    return message_record(row, usage_of_replies([row.id]).get(row.id))


def message_of(conversation_id: UUID, message_id: UUID) -> Message:
    row = _messages(conversation_id).filter(pk=message_id).first()
    if row is None:
        raise NotFound("Message not found in this conversation.")
    return row


def messages_at(conversation_id: UUID, message_ids: Iterable[UUID]) -> list[Message]:
    """Return those of these messages that the conversation has, with content, in order."""
    return messages_within([conversation_id], message_ids)


def origins_of(conversation_ids: Collection[UUID]) -> dict[UUID, Conversation]:
    """The conversations that messages are from: their titles, and whether others could ever write in them."""
    if not conversation_ids:
        return {}
    rows = Conversation.objects.filter(pk__in=conversation_ids).only("id", "title", "others_could_write")
    return {row.id: row for row in rows}


def messages_within(conversation_ids: Collection[UUID], message_ids: Iterable[UUID]) -> list[Message]:
    """The same for several conversations, one after the other."""
    wanted = list(set(message_ids))
    return list(Message.objects.raw(_BY_ID, [wanted, list(conversation_ids)])) if wanted else []


def messages_named(conversation_id: UUID, message_ids: Iterable[UUID]) -> list[Message]:
    """Return these messages without their content, in order; `NotFound` if one of them does not exist."""
    wanted = set(message_ids)
    rows = list(_messages(conversation_id).filter(pk__in=wanted).defer("content", "parts").order_by("index"))
    if len(rows) != len(wanted):
        raise NotFound("Message not found in this conversation.")
    return rows


def tokens_through(conversation_id: UUID, indexes: Iterable[int]) -> dict[int, int]:
    """Return the running total of tokens at each of these indexes, each by an index lookup."""
    values = [current_workspace_id(), conversation_id]
    with use_index_order(), connection.cursor() as cursor:
        cursor.execute(_THROUGH, [sorted(indexes), *values])
        return dict(cursor.fetchall())


def live_messages(conversation_id: UUID) -> QuerySet[Message]:
    """Return messages that are neither compacted nor excluded: those of the partial index `message_live_place`."""
    return _messages(conversation_id).filter(compacted_in__isnull=True, excluded=False)


def included_messages(conversation_id: UUID) -> QuerySet[Message]:
    """Return the messages that are not excluded, compacted or not."""
    return _messages(conversation_id).filter(excluded=False)


def newest_message(conversation_id: UUID, *, roles: Collection[str] = ()) -> Message | None:
    """Return the newest message that is not excluded, optionally of certain roles."""
    rows = included_messages(conversation_id).order_by(INCLUDED_FROM_THE_END.order)
    with use_index_order():
        return (rows.filter(role__in=roles) if roles else rows).first()


def newest_live(conversation_id: UUID, count: int) -> list[Message]:
    """The newest `count` live messages, oldest first."""
    with use_index_order():
        return fetch_models(Message, _NEWEST_LIVE, conversation=conversation_id, count=count)[::-1]


def newest_live_within(conversation_id: UUID, tokens: int, *, longest: int) -> Newest:
    """The newest live messages: enough to fill `tokens` when each counts at most `longest`."""
    return _newest_within(_in_chunks(conversation_id, _LIVE_BEFORE, _END), tokens, longest)


def newest_included_within(conversation_id: UUID, tokens: int, *, longest: int) -> Newest:
    """The same for all messages that are not excluded, compacted or not."""
    return _newest_within(_in_chunks(conversation_id, _INCLUDED_BEFORE, _END), tokens, longest)


def newest_compacted_within(conversation_id: UUID, tokens: int, *, before: int, longest: int) -> Newest:
    """The same for the compacted messages before an index, which a budget with room left includes again."""
    rows = _in_chunks(conversation_id, _INCLUDED_BEFORE, before)
    return _newest_within((row for row in rows if row.compacted_in is not None), tokens, longest)


def oldest_live_within(conversation_id: UUID, tokens: int, *, beyond: int) -> list[Message]:
    """Return the oldest live messages up to `tokens`, and `beyond` more, to include a tool call's result."""
    taken: list[Message] = []
    for row in _in_chunks(conversation_id, _LIVE_AFTER, -1):
        taken.append(row)
        tokens -= row.live_cost
        if tokens < 0:
            beyond -= 1
        if beyond < 0:
            break
    return taken


def high_importance_live(conversation_id: UUID, *, begin: int, end: int, most: int) -> list[Weight]:
    """Return the weights of the newest `most` live messages from the index `begin` to before `end`, oldest first.

    Content is read only for rows stored without an importance; messages that no model sees are skipped.
    """
    rows = live_messages(conversation_id).filter(FROM_THE_END.onward(end), FROM_THE_BEGINNING.onward(begin - 1))
    said = rows.order_by(FROM_THE_END.order).values_list("index", "id", "importance", "live_cost", "status")
    with use_index_order():
        found = [values[:-1] for values in said[:most] if values[-1] not in _UNSAID][::-1]
    unknown = messages_at(conversation_id, [message_id for _, message_id, known, _ in found if known is None])
    told = {row.id: message_importance(row) for row in unknown}
    return [Weight(index, row_id, told.get(row_id, known or 0.0), cost) for index, row_id, known, cost in found]


def newest_live_user(conversation_id: UUID) -> Message | None:
    with use_index_order():
        return live_messages(conversation_id).filter(role=MessageRole.USER).order_by(FROM_THE_END.order).first()


def _newest_within(rows: Iterator[Message], tokens: int, longest: int) -> Newest:
    """Return the newest rows within the tokens, without unfinished and failed replies, which a model does not see."""
    taken: list[Message] = []
    passed = 0
    for passed, row in enumerate(rows, 1):  # noqa: B007  # the count is used after the loop
        if row.status in _UNSAID:
            continue
        taken.append(row)
        tokens -= min(_shown_cost(row), longest)
        if tokens < 0:
            break
    return Newest(taken[::-1], passed)


def _shown_cost(row: Message) -> int:
    """Return a message's cost in a pack, which may be less than its tokens: reasoning is never included."""
    return shown_tokens(engine_message(row)) if row.parts else row.live_cost


def _in_chunks(conversation_id: UUID, onward: str, index: int) -> Iterator[Message]:
    """Yield rows page by page from an index on, so that the database reads little more than what is used."""
    chunk = _read(onward, conversation_id, index)
    yield from chunk
    while len(chunk) == _CHUNK:
        chunk = _read(onward, conversation_id, chunk[-1].index)
        yield from chunk


def _read(onward: str, conversation_id: UUID, index: int) -> list[Message]:
    with use_index_order():
        return fetch_models(Message, onward, conversation=conversation_id, index=index)


def _messages(conversation_id: UUID) -> QuerySet[Message]:
    return Message.objects.filter(conversation_id=conversation_id)
