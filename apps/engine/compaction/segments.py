"""Segments of a long conversation, each summarized once, and the choice of those that cover its history.

Twenty messages make a segment of level 1, or fewer where they are long; five segments make one of the next level. What
precedes the shown messages is represented by a cover of segments: fine nearby, coarse far away, without overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from apps.engine.text.quoting import quoted
from apps.engine.tokens.estimate import estimate_text

SEGMENT_MESSAGES = 20
SEGMENT_TOKENS = 8_000
GROUP = 5
LEVELS = 3
TARGET_TOKENS = {1: 200, 2: 250, 3: 250}
NOTHING = "(nothing to tell)"
"""The text of a segment without content. The cover continues before it."""


@dataclass(frozen=True, slots=True, order=True)
class Segment:
    """The `ordinal`-th of its level, from 0. It covers `GROUP` ** (level − 1) segments of level 1."""

    level: int
    ordinal: int

    @property
    def span(self) -> range:
        """The ordinals of the segments of level 1 in it.

        >>> Segment(2, 3).span
        range(15, 20)
        """
        size = GROUP ** (self.level - 1)
        return range(self.ordinal * size, (self.ordinal + 1) * size)

    @property
    def children(self) -> tuple[Segment, ...]:
        first = self.ordinal * GROUP
        return tuple(Segment(self.level - 1, first + place) for place in range(GROUP)) if self.level > 1 else ()


@dataclass(frozen=True, slots=True)
class SegmentText:
    """A closed segment with its text; `first` and `last` are the indexes of its first and last message.

    The text is empty if it has not been written or is out of date; a pack then marks the messages as omitted.
    """

    segment: Segment
    first: int
    last: int
    text: str

    @property
    def has_content(self) -> bool:
        return self.text not in ("", NOTHING)

    @property
    def tokens(self) -> int:
        """Tokens of the segment in a pack."""
        return estimate_text(segment_text(self))


def segment_text(told: SegmentText) -> str:
    """The text of a segment in a pack, with the separator after it.

    >>> segment_text(SegmentText(Segment(1, 0), 0, 19, "Decisions:\\n- Redis"))
    '[Messages 0–19]\\n> Decisions:\\n> - Redis\\n\\n'
    >>> segment_text(SegmentText(Segment(1, 0), 0, 19, NOTHING))
    ''
    """
    if told.text == NOTHING:
        return ""
    if not told.text:
        return f"{omission_marker(told.first, told.last)}\n\n"
    return f"[Messages {told.first}–{told.last}]\n{quoted(told.text)}\n\n"


def omission_marker(first: int, last: int) -> str:
    return f"[… messages {first}–{last} left out …]"


def closed_spans(tokens: Iterable[int], start: int = 0) -> Iterator[range]:
    """The indexes of each closed segment of level 1, of messages with so many tokens from the index `start` on.

    >>> list(closed_spans([10] * 45))
    [range(0, 20), range(20, 40)]
    >>> list(closed_spans([5_000, 3_000, 10], start=7))
    [range(7, 9)]
    """
    first, held = start, 0
    for index, cost in enumerate(tokens, start):
        held += cost
        if held >= SEGMENT_TOKENS or index - first + 1 == SEGMENT_MESSAGES:
            yield range(first, index + 1)
            first, held = index + 1, 0


def ending_with(ordinal: int) -> Iterator[Segment]:
    """The segments of every level that end with this one of level 1, the finest first.

    >>> [(segment.level, segment.ordinal) for segment in ending_with(24)], len(list(ending_with(23)))
    ([(1, 24), (2, 4), (3, 0)], 1)
    """
    for level in range(1, LEVELS + 1):
        segment = Segment(level, ordinal // GROUP ** (level - 1))
        if segment.span.stop == ordinal + 1:
            yield segment


def source_hash(sources: Iterable[tuple[str, str]], prompt_version: str) -> str:
    """The name of a summary of these: of other messages, other words or other instructions it is another one.

    `sources` are ids and contents of the included messages, in order.
    """
    digest = blake2b(prompt_version.encode(), digest_size=16)
    for source_id, content in sources:
        for text in (source_id, content):
            told = text.encode(errors="surrogatepass")
            digest.update(len(told).to_bytes(8, "big") + told)
    return digest.hexdigest()


def cover_of(told: Mapping[Segment, SegmentText], span: range, share: int) -> tuple[SegmentText, ...]:
    """Cover the level-1 segments with ordinals in `span` in at most `share` tokens, oldest first.

    Far segments are as coarse as they can be, the nearer ones finer as far as the share allows. They leave no gap up to
    the end of the span; the oldest are omitted, and so is everything before a segment without a text in `told`.

    >>> nodes = [Segment(1, n) for n in range(32)] + [Segment(2, n) for n in range(6)] + [Segment(3, 0)]
    >>> told = {node: SegmentText(node, node.span.start * 20, node.span.stop * 20 - 1, "a" * 780) for node in nodes}
    >>> [(node.segment.level, node.segment.ordinal) for node in cover_of(told, range(32), 1_500)]
    [(3, 0), (2, 5), (1, 30), (1, 31)]
    """
    coarse = _coarsest(told, span, LEVELS)
    while coarse and coarse[-1].tokens > share:
        nearest = coarse[-1].segment
        coarse = _coarsest(told, nearest.span, nearest.level - 1)
    return tuple(_refined(told, *_that_fit(coarse, share)))


def _coarsest(told: Mapping[Segment, SegmentText], span: range, level: int) -> list[SegmentText]:
    """The fewest segments, of at most this level, that cover as much of the end of the span as possible."""
    found: list[SegmentText] = []
    end = span.stop
    while node := next(_that_end(told, end, span.start, level), None):
        found.append(node)
        end = node.segment.span.start
    return found[::-1]


def _that_end(told: Mapping[Segment, SegmentText], end: int, begin: int, level: int) -> Iterator[SegmentText]:
    """Those with a text that end before the ordinal `end` and do not begin before `begin`, the coarsest first."""
    for height in range(level, 0, -1):
        size = GROUP ** (height - 1)
        node = told.get(Segment(height, end // size - 1))
        if end % size == 0 and end - size >= begin and node and node.text:
            yield node


def _that_fit(nodes: list[SegmentText], share: int) -> tuple[list[SegmentText], int]:
    """The newest that fit, without a gap, and what they leave."""
    kept: list[SegmentText] = []
    for node in reversed(nodes):
        if node.tokens > share:
            break
        share -= node.tokens
        kept.append(node)
    return kept[::-1], share


def _refined(told: Mapping[Segment, SegmentText], coarse: list[SegmentText], left: int) -> list[SegmentText]:
    """Replace the nearest segments by their parts as far as the remaining tokens allow."""
    fine: list[SegmentText] = []
    while coarse:
        nearest = coarse.pop()
        parts = _parts(told, nearest.segment)
        more = sum(part.tokens for part in parts) - nearest.tokens
        if parts and more > left:
            return [*coarse, nearest, *fine[::-1]]
        if parts:
            left -= more
            coarse.extend(parts)
        else:
            fine.append(nearest)
    return fine[::-1]


def _parts(told: Mapping[Segment, SegmentText], segment: Segment) -> list[SegmentText]:
    """The segment's parts; empty if one of them has no text."""
    parts = _coarsest(told, segment.span, segment.level - 1)
    return parts if parts and parts[0].segment.span.start == segment.span.start else []
