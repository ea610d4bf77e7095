"""Reads of a conversation's segments, their summaries and the sources of these, at a bounded cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from uuid import UUID

from django.db.models import Q, QuerySet

from apps.common.models import columns_of
from apps.common.reads import fetch_models
from apps.common.tenancy import use_index_order
from apps.compaction.models import SegmentSummary
from apps.compaction.summarizers.redaction import without_secrets
from apps.compaction.summarizers.segment_prompt import PROMPT_VERSION
from apps.conversations.models import Message as MessageRow
from apps.conversations.models import MessageStatus
from apps.conversations.records import engine_messages
from apps.engine.compaction.segments import (
    GROUP,
    LEVELS,
    NOTHING,
    TARGET_TOKENS,
    Segment,
    SegmentText,
    closed_spans,
    ending_with,
    source_hash,
)
from apps.engine.messages.display import display_text
from apps.engine.messages.message import Message
from apps.engine.tokens.estimate import estimate_text

_UNSAID = (MessageStatus.STREAMING, MessageStatus.FAILED)
_OF_LEVEL_1 = GROUP ** (LEVELS - 1)
_NEWEST_CLOSED = f"""
SELECT {columns_of(SegmentSummary, "segment")} FROM compaction_segmentsummary AS segment
WHERE workspace_id = %(workspace)s AND conversation_id = %(conversation)s AND level = 1
ORDER BY first_index DESC LIMIT %(most)s
"""  # noqa: S608  # the only inserted text is the names of columns


@dataclass(frozen=True, slots=True)
class Material:
    """The sources of a segment's text: its messages on level 1, above that the texts of its parts.

    A text written from sources with another `source_hash` is out of date.
    """

    row_id: UUID
    segment: Segment
    messages: tuple[Message, ...]
    texts: tuple[str, ...]
    source_hash: str

    @property
    def target(self) -> int:
        return TARGET_TOKENS[self.segment.level]

    @property
    def tokens(self) -> int:
        """How much there is to read."""
        return sum(message.token_count for message in self.messages) + sum(map(estimate_text, self.texts))


@dataclass(frozen=True, slots=True)
class Place:
    """What closing a segment needs to know of a message."""

    token_count: int
    extra_tokens: int
    tokens_through: int
    status: str


def segment_texts(conversation_id: UUID, *, before: int, most: int) -> dict[Segment, SegmentText]:
    """Of each level the newest `most` segments that begin before the index `before`; some have no text yet."""
    newest = [
        _segments(conversation_id)
        .filter(level=level, first_index__lt=before)
        .order_by("-first_index")
        .values_list("level", "ordinal", "first_index", "last_index", "text")[:most]
        for level in range(1, LEVELS + 1)
    ]
    with use_index_order():
        rows = list(newest[0].union(*newest[1:], all=True))
    display_text = (
        SegmentText(Segment(level, ordinal), first, last, text) for level, ordinal, first, last, text in rows
    )
    return {node.segment: node for node in display_text}


def segment_of(row: SegmentSummary) -> Segment:
    return Segment(row.level, row.ordinal)


def newest_closed(conversation_id: UUID, most: int = 1) -> list[SegmentSummary]:
    """The newest segments of level 1, the newest first."""
    with use_index_order():
        return fetch_models(SegmentSummary, _NEWEST_CLOSED, conversation=conversation_id, most=most)


def segments_to_close(conversation_id: UUID, *, most: int) -> tuple[list[SegmentSummary], bool]:
    """The segments that the next `most` messages close, not stored yet; whether there may be more of them.

    None closes over a reply that is being written.
    """
    known = newest_closed(conversation_id, _OF_LEVEL_1)
    start = known[0].last_index + 1 if known else 0
    places = _places(conversation_id, start, most)
    settled = list(takewhile(lambda place: place.status != MessageStatus.STREAMING, places))
    spans = list(closed_spans((place.token_count + place.extra_tokens for place in settled), start))
    begins = {row.ordinal: row.first_index for row in known}
    rows: list[SegmentSummary] = []
    for ordinal, span in enumerate(spans, known[0].ordinal + 1 if known else 0):
        begins[ordinal] = span.start
        through = settled[span.stop - 1 - start].tokens_through
        for segment in ending_with(ordinal):
            rows.append(
                SegmentSummary(
                    conversation_id=conversation_id,
                    level=segment.level,
                    ordinal=segment.ordinal,
                    first_index=begins[segment.span.start],
                    last_index=span.stop - 1,
                    tokens_through=through,
                )
            )
    return rows, len(settled) == most


def segments_without_text(conversation_id: UUID, most: int) -> list[SegmentSummary]:
    """The newest first, and each after the segments in it."""
    rows = _segments(conversation_id).filter(source_hash="").order_by("-first_index", "level")
    with use_index_order():
        return list(rows[:most])


def segment_to_better(conversation_id: UUID, newest: int) -> SegmentSummary | None:
    """The next segment to be written by a model, among the `newest` of level 1 and their groups."""
    begin = min((row.first_index for row in newest_closed(conversation_id, newest)), default=0)
    rows = _segments(conversation_id).filter(~Q(source_hash=""), tries_left__gt=0, first_index__gte=begin)
    with use_index_order():
        return rows.order_by("-first_index", "level").first()


def segments_at(conversation_id: UUID, segments: Sequence[Segment]) -> list[SegmentSummary]:
    """The rows of these segments, which are of one level, the newest first."""
    ordinals = [segment.ordinal for segment in segments]
    rows = _segments(conversation_id).filter(level=segments[0].level, ordinal__in=ordinals)
    with use_index_order():
        return list(rows.order_by("-ordinal"))


def material_of(row: SegmentSummary) -> Material | None:
    """The sources of its text; None while one of its parts has no text."""
    segment = segment_of(row)
    if segment.level == 1:
        messages = _messages_told(row)
        name = source_hash(((message.id, display_text(message)) for message in messages), PROMPT_VERSION)
        return Material(row.id, segment, without_secrets(messages), (), name)
    children = segments_at(row.conversation_id, segment.children)[::-1]
    if len(children) < GROUP or not all(child.source_hash for child in children):
        return None
    name = source_hash(((str(child.id), child.text) for child in children), PROMPT_VERSION)
    return Material(row.id, segment, (), tuple(child.text for child in children if child.text != NOTHING), name)


def material_is_current(material: Material) -> bool:
    """Whether the sources of the segment's text are unchanged."""
    row = SegmentSummary.objects.filter(pk=material.row_id).first()
    now = material_of(row) if row else None
    return now is not None and now.source_hash == material.source_hash


def _places(conversation_id: UUID, start: int, most: int) -> list[Place]:
    rows = _messages(conversation_id, start, start + most - 1)
    with use_index_order():
        return [
            Place(*values) for values in rows.values_list("token_count", "extra_tokens", "tokens_through", "status")
        ]


def _messages_told(row: SegmentSummary) -> tuple[Message, ...]:
    """The messages of its span that a model may see. All are read: no index knows these, and a pack waits."""
    with use_index_order():
        said = list(_messages(row.conversation_id, row.first_index, row.last_index))
    return engine_messages(message for message in said if not message.excluded and message.status not in _UNSAID)


def _messages(conversation_id: UUID, first: int, last: int) -> QuerySet[MessageRow]:
    rows = MessageRow.objects.filter(conversation_id=conversation_id, index__range=(first, last))
    return rows.order_by("index")


def _segments(conversation_id: UUID) -> QuerySet[SegmentSummary]:
    return SegmentSummary.objects.filter(conversation_id=conversation_id)
