"""History of a conversation's live tokens, reconstructed from a sample of messages and the compactions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class CompactionDrop:
    """A compaction: the index of the newest message when it began, the live tokens then and afterwards."""

    index: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Point:
    """Live tokens with the message of this index. `exact` where the counts around it add up."""

    index: int
    live_tokens: int
    exact: bool


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The span between two compactions; its tokens at both ends are known."""

    first: int
    last: int
    begins: int
    ends: int


def sampled(first: int, last: int, count: int) -> list[int]:
    """At most `count` indexes from the first to the last, evenly spread.

    >>> sampled(0, 9, 4), sampled(5, 6, 4), sampled(3, 3, 4), sampled(0, -1, 4)
    ([0, 3, 6, 9], [5, 6], [3], [])
    """
    steps = min(count - 1, last - first)
    if steps <= 0:
        return [first] if first == last else []
    return [first + round(step * (last - first) / steps) for step in range(steps + 1)]


def live_series(through: Mapping[int, int], folds: Sequence[CompactionDrop], live_tokens: int) -> list[Point]:
    """A point for each index of `through`, which maps indexes, those of all compactions included, to running totals.

    Between two compactions live tokens grow as the total does. Where that does not lead to what was counted, because
    messages were excluded or count less than their content, the growth is scaled to fit.

    >>> live_series({0: 10, 1: 30, 2: 60}, [CompactionDrop(1, 30, 5)], 35)
    [Point(index=0, live_tokens=10, exact=True), Point(index=1, live_tokens=30, exact=True), \
Point(index=2, live_tokens=35, exact=True)]
    """
    points: dict[int, Point] = {}
    for stretch in _stretches(through, folds, live_tokens):
        for point in _points(stretch, through):
            points.setdefault(point.index, point)
    return [points[index] for index in sorted(points)]


def _stretches(through: Mapping[int, int], folds: Sequence[CompactionDrop], live_tokens: int) -> Iterator[_Stretch]:
    first, newest = min(through, default=0), max(through, default=0)
    known = [fold for fold in folds if fold.index in through]
    beginning = known.pop(0) if known and known[0].index == first > 0 else CompactionDrop(first - 1, 0, 0)
    for one, following in pairwise([beginning, *known, CompactionDrop(newest, live_tokens, 0)]):
        yield _Stretch(one.index, following.index, one.after, following.before)


def _points(stretch: _Stretch, through: Mapping[int, int]) -> Iterator[Point]:
    inside = [index for index in sorted(through) if stretch.first < index <= stretch.last]
    begin = through.get(stretch.first, 0)
    grown = through.get(stretch.last, begin) - begin
    counted = stretch.ends - stretch.begins
    for index in inside:
        more = through[index] - begin
        live = more if grown == counted else round(more * counted / grown) if grown else counted
        exact = grown == counted or index == stretch.last
        yield Point(index, max(0, stretch.begins + live), exact)
