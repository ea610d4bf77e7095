"""Segments of a conversation, and those that stand for its past."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.segments import (
    SEGMENT_MESSAGES,
    SEGMENT_TOKENS,
    Segment,
    closed_spans,
    cover_of,
    source_hash,
)


def even(segment: Segment) -> int:
    return 200


def uneven(segment: Segment) -> int:
    return 150 + (segment.ordinal * 37 + segment.level * 11) % 100


def told(closed: int, share: int) -> list[tuple[int, int]]:
    return [(segment.level, segment.ordinal) for segment in cover_of(closed, share, even).segments]


def test_what_is_near_is_told_in_more_words_than_what_is_far() -> None:
    assert told(62, 2_000) == [(3, 0), (3, 1), (2, 10), *((1, ordinal) for ordinal in range(55, 62))]


def test_with_plenty_of_room_every_segment_tells_for_itself() -> None:
    assert told(62, 100_000) == [(1, ordinal) for ordinal in range(62)]


def test_without_room_the_oldest_go_untold() -> None:
    assert told(62, 500) == [(1, 60), (1, 61)]
    assert cover_of(62, 500, even).untold == 60
    assert cover_of(62, 0, even) == cover_of(62, 199, even)
    assert cover_of(0, 5_000, even).segments == ()


def test_a_long_message_closes_its_segment() -> None:
    assert list(closed_spans([9_000, 10, 10])) == [range(0, 1)]


@given(st.integers(0, 700), st.integers(0, 60_000))
def test_a_cover_is_whole_within_its_share_and_never_finer_far_than_near(closed: int, share: int) -> None:
    cover = cover_of(closed, share, uneven)
    assert sum(map(uneven, cover.segments)) <= share
    places = [place for segment in cover.segments for place in segment.span]
    assert places == list(range(cover.untold, closed))
    assert all(older.level >= newer.level for older, newer in pairwise(cover.segments))


@given(st.integers(0, 700), st.integers(0, 30_000), st.integers(0, 5_000))
def test_more_room_never_tells_less(closed: int, share: int, more: int) -> None:
    small, large = cover_of(closed, share, uneven), cover_of(closed, share + more, uneven)
    assert large.untold <= small.untold
    if large.untold == small.untold:
        assert len(large.segments) >= len(small.segments)


@given(st.lists(st.integers(0, 9_000), max_size=200), st.integers(0, 50))
def test_segments_follow_each_other_and_close_as_soon_as_they_may(tokens: list[int], start: int) -> None:
    spans = list(closed_spans(tokens, start))
    ends = [start, *(span.stop for span in spans)]
    assert [span.start for span in spans] == ends[:-1]
    for span in spans:
        held = tokens[span.start - start : span.stop - start]
        assert len(span) == SEGMENT_MESSAGES or sum(held) >= SEGMENT_TOKENS
        assert len(span) <= SEGMENT_MESSAGES and sum(held[:-1]) < SEGMENT_TOKENS
    # A conversation that goes on closes the same segments.
    assert list(closed_spans([*tokens, 1], start))[: len(spans)] == spans


def test_a_summary_is_named_after_all_that_went_into_it() -> None:
    names = {
        source_hash(sources, version)
        for sources in (
            [("m1", "a"), ("m2", "b")],
            [("m1", "a")],
            [("m1", "ab"), ("m2", "")],
            [("m2", "b"), ("m1", "a")],
        )
        for version in ("1", "2")
    }
    assert len(names) == 8
    assert source_hash([("m1", "\ud800")], "1") == source_hash([("m1", "\ud800")], "1")
