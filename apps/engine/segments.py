"""Stretches of a long conversation, each summarised once, and the choice of those that stand for its past.

Twenty messages make a segment of level 1, or fewer where they are long; five segments make one of the next level. What
lies before the shown messages is told by a cover of segments: fine near, coarse far, none of it twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b

SEGMENT_MESSAGES = 20
SEGMENT_TOKENS = 8_000
GROUP = 5
LEVELS = 3
TARGET_TOKENS = {1: 200, 2: 250, 3: 250}


@dataclass(frozen=True, slots=True, order=True)
class Segment:
    """The `ordinal`-th of its level, from 0. It stands for `GROUP` ** (level − 1) segments of level 1."""

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
class Cover:
    """`segments` from the oldest on, without a gap; nothing stands for the first `untold` segments of level 1."""

    segments: tuple[Segment, ...]
    untold: int


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


def source_hash(sources: Iterable[tuple[str, str]], prompt_version: str) -> str:
    """The name of a summary of these: of other messages, other words or other instructions it is another one.

    `sources` are ids and contents of what is included, in their order; what is excluded is not among them.
    """
    digest = blake2b(prompt_version.encode(), digest_size=16)
    for source_id, content in sources:
        for text in (source_id, content):
            told = text.encode(errors="surrogatepass")
            digest.update(len(told).to_bytes(8, "big") + told)
    return digest.hexdigest()


def cover_of(closed: int, share: int, tokens: Callable[[Segment], int]) -> Cover:
    """The segments that stand for the `closed` first ones of level 1, in at most `share` tokens.

    Far segments are as coarse as they can be, the nearer ones finer as far as the share allows; if not even the coarse
    ones fit, the oldest go untold.

    >>> [(s.level, s.ordinal) for s in cover_of(32, 1_500, lambda segment: 200).segments]
    [(3, 0), (2, 5), (1, 30), (1, 31)]
    """
    coarse, left = _that_fit(_coarsest(closed), share, tokens)
    chosen = _refined(coarse, left, tokens)
    return Cover(tuple(chosen), chosen[0].span.start if chosen else closed)


def _coarsest(closed: int) -> list[Segment]:
    """The fewest whole segments that stand for the first `closed`, the oldest first."""
    segments: list[Segment] = []
    begin = 0
    for level in range(LEVELS, 0, -1):
        size = GROUP ** (level - 1)
        end = closed // size
        segments.extend(Segment(level, ordinal) for ordinal in range(begin // size, end))
        begin = end * size
    return segments


def _that_fit(segments: list[Segment], share: int, tokens: Callable[[Segment], int]) -> tuple[list[Segment], int]:
    """The newest that fit, without a gap, and what they leave."""
    kept: list[Segment] = []
    for segment in reversed(segments):
        if tokens(segment) > share:
            break
        share -= tokens(segment)
        kept.append(segment)
    return kept[::-1], share


def _refined(segments: list[Segment], left: int, tokens: Callable[[Segment], int]) -> list[Segment]:
    """With the nearest ones in parts, as far as what is left goes; nothing far is finer than something near."""
    fine: list[Segment] = []
    coarse = list(segments)
    while coarse:
        nearest = coarse.pop()
        parts = nearest.children
        more = sum(map(tokens, parts)) - tokens(nearest)
        if parts and more > left:
            return [*coarse, nearest, *fine[::-1]]
        if parts:
            left -= more
            coarse.extend(parts)
        else:
            fine.append(nearest)
    return fine[::-1]
