"""The position up to which a conversation was read. Every writer has locked the conversation's row before."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby
from uuid import UUID

from django.db.models import Q

from apps.conversations.models import Conversation, Message
from apps.engine.extraction.extract import EXTRACTOR
from apps.extraction.extractors.prompt import CURRENT
from apps.extraction.models import ReadPosition
from apps.extraction.selectors.unread import NEVER, off_spans, without_off_spans


def position_lock(conversation_id: UUID) -> ReadPosition:
    """Lock the conversation's position; that of another version of the extractor begins at the first message again."""
    ReadPosition.objects.get_or_create(conversation_id=conversation_id, defaults={"extractor": EXTRACTOR})
    position = ReadPosition.objects.select_for_update(no_key=True).get(conversation_id=conversation_id)
    if position.extractor not in CURRENT:
        position.extractor, position.next_index, position.skipped = EXTRACTOR, 0, []
    return position


def position_advance(
    position: ReadPosition, passed: Collection[int], read: Collection[int], extractor: str = EXTRACTOR
) -> None:
    """Pass the messages with these indexes, of which some were read. Others up to the last are noted as skipped."""
    if extractor != EXTRACTOR:
        position.extractor = extractor
    begin, end = position.next_index, max(position.next_index, max(passed) + 1)
    rows = Message.objects.filter(
        Q(index__gte=begin, index__lt=end) | Q(index__in=position.skipped),
        conversation_id=position.conversation_id,
        deleted_at=None,
    )
    indexes = without_off_spans(rows, position).order_by("index").values_list("index", flat=True)
    position.skipped = [index for index in indexes if index not in set(read)]
    position.next_index = end


def off_span_begin(conversation_id: UUID, index: int) -> None:
    """Note that messages from this index on are stored while nothing is learned."""
    position = position_lock(conversation_id)
    if len(position.off_spans) % 2 == 0:
        position.off_spans = [*position.off_spans, index]
        position.save()


def off_span_end(conversation_id: UUID, index: int) -> None:
    """Note that messages from this index on are stored while memories are made again."""
    position = position_lock(conversation_id)
    if len(position.off_spans) % 2 == 1:
        position.off_spans = [*position.off_spans, index]
        position.save()


def off_span_forget(conversation_id: UUID) -> None:
    """Let the messages stored since it was switched off be read after all: their author asks for it."""
    position = position_lock(conversation_id)
    if len(position.off_spans) % 2 == 1:
        position.off_spans = position.off_spans[:-1]
        position.save()


def position_restore(conversation_id: UUID, *, first: int, learned: Sequence[str]) -> None:
    """Take over which messages were read elsewhere, from index `first` on, where they have just been stored.

    What was never to be read stays so. Where nothing is learned at all, that is noted already.
    """
    position = position_lock(conversation_id)
    if len(position.off_spans) % 2 == 1:
        return
    ends = [end for end, state in enumerate(learned, start=first + 1) if state]
    if ends and position.next_index >= first:
        unread = [index for index, state in enumerate(learned[: ends[-1] - first], start=first) if not state]
        position.skipped = [*position.skipped, *unread]
        position.next_index = max(position.next_index, ends[-1])
    for is_never, run in groupby(enumerate(learned, start=first), key=lambda one: one[1] == NEVER):
        indexes = [index for index, _ in run]
        position.off_spans = [*position.off_spans, *((indexes[0], indexes[-1] + 1) if is_never else ())]
    position.save()


def position_copy(source: Conversation, copy: Conversation) -> None:
    """Give a fork of one's own conversation its position: what was read, or is never to be read, is so in the copy."""
    origin = ReadPosition.objects.filter(conversation_id=source.id).first()
    if origin is None or source.owner_id != copy.owner_id or copy.copied_through is None:
        return
    end = copy.copied_through + 1
    spans = [(first, min(last or end, end)) for first, last in off_spans(origin) if first < end]
    ReadPosition.objects.create(
        conversation_id=copy.id,
        extractor=origin.extractor,
        next_index=min(origin.next_index, end),
        skipped=[index for index in origin.skipped if index < end],
        off_spans=[index for span in spans for index in span],
    )
