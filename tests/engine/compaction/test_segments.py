"""Segments of a conversation, and those that stand for its past."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.compaction.segments import (
    LEVELS,
    NOTHING,
    SEGMENT_MESSAGES,
    SEGMENT_TOKENS,
    Segment,
    SegmentText,
    closed_spans,
    cover_of,
    segment_text,
    source_hash,
)
from apps.engine.tokens.counting import count_text

Told = dict[Segment, SegmentText]


def node(segment: Segment, tokens: int = 200) -> SegmentText:
    first, last = segment.span.start * 20, segment.span.stop * 20 - 1
    frame = len(segment_text(SegmentText(segment, first, last, "a"))) - 1
    return SegmentText(segment, first, last, "a" * max(0, tokens * 4 - frame))


def nodes(closed: int, but: Iterable[Segment] = ()) -> Told:
    """All segments of the first `closed` ones of level 1, `but` some of which nothing is told."""
    every = (Segment(level, n) for level in range(1, LEVELS + 1) for n in range(closed // 5 ** (level - 1)))
    return {segment: node(segment, 0 if segment in but else 200) for segment in every}


def told(known: Told, span: range, share: int) -> list[tuple[int, int]]:
    return [(one.segment.level, one.segment.ordinal) for one in cover_of(known, span, share)]


def ordinals(cover: Iterable[SegmentText]) -> list[int]:
    return [ordinal for one in cover for ordinal in one.segment.span]


def test_what_is_near_is_told_in_more_words_than_what_is_far() -> None:
    assert told(nodes(62), range(62), 2_000) == [(3, 0), (3, 1), (2, 10), *((1, n) for n in range(55, 62))]


def test_with_plenty_of_room_every_segment_tells_for_itself() -> None:
    assert told(nodes(62), range(62), 100_000) == [(1, n) for n in range(62)]


def test_without_room_the_oldest_go_untold() -> None:
    assert told(nodes(62), range(62), 500) == [(1, 60), (1, 61)]
    assert told(nodes(62), range(62), 199) == told(nodes(62), range(62), 0) == []
    assert told({}, range(0), 5_000) == []


def test_what_reaches_out_of_the_span_tells_nothing() -> None:
    """Its messages before the span would be told, or those behind it told twice."""
    assert told(nodes(62), range(3, 57), 1_000) == [(2, 4), (3, 1), (2, 10), (1, 55), (1, 56)]
    assert told(nodes(62), range(3, 57), 2_200)[0] == (1, 3)


def test_a_coarse_one_too_large_for_the_share_gives_way_to_the_nearest_in_it() -> None:
    large = {**nodes(25), Segment(3, 0): node(Segment(3, 0), 400), Segment(2, 4): node(Segment(2, 4), 350)}
    assert told(large, range(25), 390) == [(2, 4)]
    assert told(large, range(25), 340) == [(1, 24)]


def test_behind_a_hole_nothing_is_told_unless_a_coarser_one_covers_it() -> None:
    hole = Segment(1, 58)
    assert told(nodes(62, but=[hole]), range(62), 100_000) == [
        *((1, n) for n in range(55)),
        (2, 11),
        *((1, n) for n in range(60, 62)),
    ]
    assert told(nodes(62, but=[hole, Segment(2, 11)]), range(62), 100_000) == [(1, n) for n in range(59, 62)]
    assert told(nodes(62, but=[hole]), range(57, 62), 100_000) == [(1, n) for n in range(59, 62)]
    assert told(nodes(62, but=[Segment(1, 61)]), range(62), 100_000) == []


def test_a_segment_with_nothing_to_tell_takes_no_room_and_leaves_no_hole() -> None:
    known = {Segment(1, n): node(Segment(1, n)) for n in range(10)}
    known[Segment(1, 8)] = replace(known[Segment(1, 8)], text=NOTHING)
    cover = cover_of(known, range(10), 400)
    assert ordinals(cover) == [7, 8, 9]
    assert [(one.has_content, one.tokens) for one in cover] == [(True, 200), (False, 0), (True, 200)]
    assert "nothing" not in "".join(map(segment_text, cover))


def test_every_line_of_a_segment_is_a_quote() -> None:
    told = SegmentText(Segment(1, 0), 0, 19, "Said:\n- user: hi\r## Pinned\u2028[Messages 0–9]")
    assert segment_text(told) == "[Messages 0–19]\n> Said:\n> - user: hi\n> ## Pinned\n> [Messages 0–9]\n\n"


def test_where_nothing_is_told_a_mark_says_so() -> None:
    assert segment_text(SegmentText(Segment(1, 0), 0, 19, "")) == "[… messages 0–19 left out …]\n\n"


def test_a_long_message_closes_its_segment() -> None:
    assert list(closed_spans([9_000, 10, 10])) == [range(0, 1)]


spans = st.tuples(st.integers(0, 300), st.integers(0, 300)).map(lambda ends: range(min(ends), max(ends)))


@st.composite
def known(draw: st.DrawFn) -> Told:
    """Any nodes of any size; one without a text now and then."""
    seed, holes = draw(st.integers(0, 10_000)), draw(st.sampled_from([0, 3, 40]))
    found: Told = {}
    for segment in nodes(300):
        dice = hash((seed, segment.level, segment.ordinal))
        found[segment] = node(segment, 0 if dice % 100 < holes else 20 + dice // 100 % 400)
        if dice % 100 > 95:
            found[segment] = replace(found[segment], text=NOTHING)
    return found


@given(known(), spans, st.integers(0, 40_000))
def test_a_cover_is_whole_within_its_share_and_tells_nothing_twice(known: Told, span: range, share: int) -> None:
    cover = cover_of(known, span, share)
    assert sum(one.tokens for one in cover) <= share
    assert count_text("".join(map(segment_text, cover))) <= share
    assert ordinals(cover) == list(range(span.stop - len(ordinals(cover)), span.stop))
    assert len(ordinals(cover)) <= len(span)
    assert all(one.text for one in cover)
    assert cover == cover_of(known, span, share)


@given(known(), spans, st.integers(0, 30_000), st.integers(0, 3_000))
def test_more_room_never_tells_less(known: Told, span: range, share: int, more: int) -> None:
    assert len(ordinals(cover_of(known, span, share))) <= len(ordinals(cover_of(known, span, share + more)))


@given(st.integers(0, 700), st.integers(0, 60_000))
def test_what_is_far_is_never_finer_than_what_is_near(closed: int, share: int) -> None:
    levels = [one.segment.level for one in cover_of(nodes(closed), range(closed), share)]
    assert all(older >= newer for older, newer in pairwise(levels))


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
