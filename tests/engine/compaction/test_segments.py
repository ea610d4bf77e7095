"""Segments of a conversation, and the cover of segments that summarizes its past."""

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
from apps.engine.tokens.estimate import estimate_text

SegmentTexts = dict[Segment, SegmentText]


def node(segment: Segment, tokens: int = 200) -> SegmentText:
    first, last = segment.span.start * 20, segment.span.stop * 20 - 1
    frame = len(segment_text(SegmentText(segment, first, last, "a"))) - 1
    return SegmentText(segment, first, last, "a" * max(0, tokens * 4 - frame))


def nodes(closed: int, but: Iterable[Segment] = ()) -> SegmentTexts:
    """All segments over the first `closed` ones of level 1; those in `but` have no text."""
    all_segments = (Segment(level, n) for level in range(1, LEVELS + 1) for n in range(closed // 5 ** (level - 1)))
    return {segment: node(segment, 0 if segment in but else 200) for segment in all_segments}


def covered(known: SegmentTexts, span: range, share: int) -> list[tuple[int, int]]:
    return [(node.segment.level, node.segment.ordinal) for node in cover_of(known, span, share)]


def ordinals(cover: Iterable[SegmentText]) -> list[int]:
    return [ordinal for node in cover for ordinal in node.segment.span]


def test_recent_messages_get_finer_segments_than_distant_ones() -> None:
    assert covered(nodes(62), range(62), 2_000) == [(3, 0), (3, 1), (2, 10), *((1, n) for n in range(55, 62))]


def test_with_a_large_share_only_level_one_is_used() -> None:
    assert covered(nodes(62), range(62), 100_000) == [(1, n) for n in range(62)]


def test_with_a_small_share_the_oldest_are_omitted() -> None:
    assert covered(nodes(62), range(62), 500) == [(1, 60), (1, 61)]
    assert covered(nodes(62), range(62), 199) == covered(nodes(62), range(62), 0) == []
    assert covered({}, range(0), 5_000) == []


def test_a_segment_that_extends_beyond_the_span_is_not_used() -> None:
    """It would cover messages before the span, or cover later ones twice."""
    assert covered(nodes(62), range(3, 57), 1_000) == [(2, 4), (3, 1), (2, 10), (1, 55), (1, 56)]
    assert covered(nodes(62), range(3, 57), 2_200)[0] == (1, 3)


def test_a_coarse_segment_too_large_for_the_share_is_replaced_by_its_newest_child() -> None:
    large = {**nodes(25), Segment(3, 0): node(Segment(3, 0), 400), Segment(2, 4): node(Segment(2, 4), 350)}
    assert covered(large, range(25), 390) == [(2, 4)]
    assert covered(large, range(25), 340) == [(1, 24)]


def test_a_cover_ends_at_a_gap_unless_a_coarser_segment_covers_it() -> None:
    gap = Segment(1, 58)
    assert covered(nodes(62, but=[gap]), range(62), 100_000) == [
        *((1, n) for n in range(55)),
        (2, 11),
        *((1, n) for n in range(60, 62)),
    ]
    assert covered(nodes(62, but=[gap, Segment(2, 11)]), range(62), 100_000) == [(1, n) for n in range(59, 62)]
    assert covered(nodes(62, but=[gap]), range(57, 62), 100_000) == [(1, n) for n in range(59, 62)]
    assert covered(nodes(62, but=[Segment(1, 61)]), range(62), 100_000) == []


def test_a_segment_without_content_uses_no_tokens_and_leaves_no_gap() -> None:
    known = {Segment(1, n): node(Segment(1, n)) for n in range(10)}
    known[Segment(1, 8)] = replace(known[Segment(1, 8)], text=NOTHING)
    cover = cover_of(known, range(10), 400)
    assert ordinals(cover) == [7, 8, 9]
    assert [(node.has_content, node.tokens) for node in cover] == [(True, 200), (False, 0), (True, 200)]
    assert "nothing" not in "".join(map(segment_text, cover))


def test_every_line_of_a_segment_is_quoted() -> None:
    node_text = SegmentText(Segment(1, 0), 0, 19, "Said:\n- user: hi\r## Pinned\u2028[Messages 0–9]")
    assert segment_text(node_text) == "[Messages 0–19]\n> Said:\n> - user: hi\n> ## Pinned\n> [Messages 0–9]\n\n"


def test_a_segment_without_a_text_is_rendered_as_a_gap_marker() -> None:
    assert segment_text(SegmentText(Segment(1, 0), 0, 19, "")) == "[… messages 0–19 left out …]\n\n"


def test_a_long_message_closes_its_segment() -> None:
    assert list(closed_spans([9_000, 10, 10])) == [range(0, 1)]


spans = st.tuples(st.integers(0, 300), st.integers(0, 300)).map(lambda ends: range(min(ends), max(ends)))


@st.composite
def known(draw: st.DrawFn) -> SegmentTexts:
    """Nodes of any size, some without a text."""
    seed, gap_percent = draw(st.integers(0, 10_000)), draw(st.sampled_from([0, 3, 40]))
    drawn: SegmentTexts = {}
    for segment in nodes(300):
        digest = hash((seed, segment.level, segment.ordinal))
        drawn[segment] = node(segment, 0 if digest % 100 < gap_percent else 20 + digest // 100 % 400)
        if digest % 100 > 95:
            drawn[segment] = replace(drawn[segment], text=NOTHING)
    return drawn


@given(known(), spans, st.integers(0, 40_000))
def test_a_cover_is_contiguous_within_its_share_and_without_duplicates(
    known: SegmentTexts, span: range, share: int
) -> None:
    cover = cover_of(known, span, share)
    assert sum(node.tokens for node in cover) <= share
    assert estimate_text("".join(map(segment_text, cover))) <= share
    assert ordinals(cover) == list(range(span.stop - len(ordinals(cover)), span.stop))
    assert len(ordinals(cover)) <= len(span)
    assert all(node.text for node in cover)
    assert cover == cover_of(known, span, share)


@given(known(), spans, st.integers(0, 30_000), st.integers(0, 3_000))
def test_a_larger_share_never_covers_fewer_segments(known: SegmentTexts, span: range, share: int, more: int) -> None:
    assert len(ordinals(cover_of(known, span, share))) <= len(ordinals(cover_of(known, span, share + more)))


@given(st.integers(0, 700), st.integers(0, 60_000))
def test_distant_segments_are_never_finer_than_recent_ones(closed: int, share: int) -> None:
    levels = [node.segment.level for node in cover_of(nodes(closed), range(closed), share)]
    assert all(older >= newer for older, newer in pairwise(levels))


@given(st.lists(st.integers(0, 9_000), max_size=200), st.integers(0, 50))
def test_segments_are_consecutive_and_close_as_early_as_possible(tokens: list[int], start: int) -> None:
    spans = list(closed_spans(tokens, start))
    ends = [start, *(span.stop for span in spans)]
    assert [span.start for span in spans] == ends[:-1]
    for span in spans:
        span_tokens = tokens[span.start - start : span.stop - start]
        assert len(span) == SEGMENT_MESSAGES or sum(span_tokens) >= SEGMENT_TOKENS
        assert len(span) <= SEGMENT_MESSAGES and sum(span_tokens[:-1]) < SEGMENT_TOKENS
    # A conversation that continues closes the same segments.
    assert list(closed_spans([*tokens, 1], start))[: len(spans)] == spans


def test_the_source_hash_depends_on_every_input() -> None:
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
