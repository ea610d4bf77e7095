"""The messages of a conversation that were not yet read for memories, as the engine reads them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from apps.accounts.time_zones import where_written, zone_of
from apps.conversations.models import Conversation, Message, MessageRole
from apps.engine.extraction.candidate import Speaker, Utterance
from apps.extraction.extractors.prompt import CURRENT
from apps.extraction.models import ReadPosition

_SPEAKERS = {
    MessageRole.SYSTEM: Speaker.SYSTEM,
    MessageRole.ASSISTANT: Speaker.ASSISTANT,
    MessageRole.TOOL: Speaker.TOOL,
}

READ, NEVER = "read", "never"

_NONE = Q(pk__in=[])
_BY_MODEL, _BY_READER = (100, 50_000), (30, 8_000)
"""The most messages and characters that are read at once. The reader also compares each with what is known, and what it
has read is stored within seconds on a slow processor too."""
_NEWEST = 6
_CONTEXT_CHARACTERS = 100_000


def unread_messages(position: ReadPosition, *, by_model: bool, attempt: int = 1) -> list[Message]:
    """Return the next messages to read: as many as a model is shown, or the reader reads, at once.

    Each later attempt reads a quarter of the one before it, and the fifth a single message. The run after one that
    stored something is a first attempt again.
    """
    batch: list[Message] = []
    most_messages, most_characters = (most // 4 ** (attempt - 1) for most in (_BY_MODEL if by_model else _BY_READER))
    characters = 0
    for row in unread_rows(position).order_by("index")[: max(most_messages, 1)]:
        characters += len(row.content)
        if batch and characters > most_characters:
            break
        batch.append(row)
    return batch


def newest_unread(position: ReadPosition) -> list[Message]:
    """Return the newest messages to read, a few in order, with no more of people's words than are read at once.

    What is longer was pasted: nobody waits for it.
    """
    newest: list[Message] = []
    left = _BY_READER[1]
    for row in unread_rows(position).order_by("-index")[:_NEWEST]:
        left -= len(row.content) if row.role == MessageRole.USER else 0
        if left < 0:
            break
        newest.append(row)
    return newest[::-1]


def unread_rows(position: ReadPosition) -> QuerySet[Message]:
    """All included messages that were not read, without those stored while nothing was learned."""
    rows = Message.objects.filter(
        Q(index__gte=position.next_index) | Q(index__in=position.skipped),
        conversation_id=position.conversation_id,
        excluded=False,
    )
    return without_off_spans(rows, position)


def position_read(conversation_id: UUID) -> ReadPosition:
    """Return the position of a conversation; of one that was never read, its beginning, which is not stored."""
    found = ReadPosition.objects.filter(conversation_id=conversation_id).first()
    return found or ReadPosition(conversation_id=conversation_id)


def still_unread(conversation_id: UUID, rows: Sequence[Message]) -> set[str]:
    """Return the ids of those of the messages that nobody excluded, and that no run has read."""
    unread = unread_rows(position_read(conversation_id))
    return {str(row_id) for row_id in unread.filter(pk__in=[row.id for row in rows]).values_list("pk", flat=True)}


def earlier_messages(position: ReadPosition, index: int, *, most: int) -> list[Message]:
    """Return the last messages before an index that may be read, in order: the context of those that follow.

    Very long ones, and those before them, are left out.
    """
    rows = Message.objects.filter(conversation_id=position.conversation_id, index__lt=index, excluded=False)
    context: list[Message] = []
    characters = 0
    for row in without_off_spans(rows, position).order_by("-index")[:most]:
        characters += len(row.content)
        if characters > _CONTEXT_CHARACTERS:
            break
        context.append(row)
    return context[::-1]


def without_off_spans(rows: QuerySet[Message], position: ReadPosition) -> QuerySet[Message]:
    return rows.exclude(_in_off_spans(position))


def never_read(conversation_id: UUID) -> Q:
    """A filter for the messages of a conversation that were stored while nothing was learned."""
    position = ReadPosition.objects.filter(conversation_id=conversation_id).first()
    return _in_off_spans(position) if position else _NONE


def _in_off_spans(position: ReadPosition) -> Q:
    found = _NONE
    for first, end in off_spans(position):
        found |= Q(index__gte=first) if end is None else Q(index__gte=first, index__lt=end)
    return found


def off_spans(position: ReadPosition) -> Iterator[tuple[int, int | None]]:
    """Yield the spans of messages stored while nothing was learned; one without an end is open."""
    ends: list[int | None] = [*position.off_spans[1::2], None]
    yield from zip(position.off_spans[::2], ends, strict=False)


@dataclass(frozen=True, slots=True)
class Learned:
    """Which messages of a conversation were read for memories, and which are never to be read."""

    position: ReadPosition | None

    def state_of(self, index: int) -> str:
        """`READ`, `NEVER`, or empty if the message is still to be read."""
        if self.position is None:
            return ""
        if any(first <= index and (end is None or index < end) for first, end in off_spans(self.position)):
            return NEVER
        is_read = self.position.extractor in CURRENT and index < self.position.next_index
        return READ if is_read and index not in self.position.skipped else ""


def learned_of(conversation_id: UUID) -> Learned:
    return Learned(ReadPosition.objects.filter(conversation_id=conversation_id).first())


def undated_at(conversation_id: UUID, times: Iterable[datetime]) -> set[datetime]:
    """Return those of the times that several messages of a user have, because they were stored without dates."""
    rows = Message.objects.filter(conversation_id=conversation_id, role=MessageRole.USER, created_at__in=set(times))
    counts = rows.order_by().values_list("created_at").annotate(Count("id"))
    return {at for at, count in counts if count > 1}


def own_names(conversation_id: UUID) -> frozenset[str]:
    """Return the names of the owner in the conversation, in lower case: the account's, those that a caller said are
    the owner's, and none at all.

    Messages do not name the account that wrote them, so there is none where others could ever write.
    """
    owner = Conversation.objects.filter(pk=conversation_id, others_could_write=False)
    names = owner.values_list("owner__name", "own_names")
    return frozenset(own.casefold() for name, others in names for own in ("", name, *others))


@dataclass(frozen=True, slots=True)
class Owner:
    """A conversation's owner: the names that are theirs, and the time zone in which their days are counted."""

    names: frozenset[str]
    zone: tzinfo


def owner_of(conversation_id: UUID) -> Owner:
    zone = Conversation.objects.values_list("owner__time_zone", flat=True).get(pk=conversation_id)
    return Owner(own_names(conversation_id), zone_of(zone))


def utterances_of(rows: Sequence[Message], owner: Owner) -> list[Utterance]:
    """Convert messages; a user message with another name than the owner's is another person's.

    Their times are in the zone that they came with, or the owner's: "yesterday" counts from the day that it was for
    who says it.
    """
    return [
        Utterance(
            str(row.id),
            row.index,
            _speaker(row, owner.names),
            row.content,
            row.name,
            where_written(row.created_at, row.utc_offset, owner.zone),
        )
        for row in rows
    ]


def _speaker(row: Message, owner_names: Collection[str]) -> Speaker:
    own = Speaker.SELF if row.name.casefold() in owner_names else Speaker.MEMBER
    return _SPEAKERS.get(MessageRole(row.role), own)
