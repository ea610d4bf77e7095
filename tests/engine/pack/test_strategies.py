"""The four history strategies: full messages, segment summaries, key messages and their shares."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.compaction.segments import Segment, SegmentText
from apps.engine.messages.message import Message
from apps.engine.pack.recent_window import cost_of
from apps.engine.pack.strategies import (
    SHARES,
    HistoryContent,
    HistorySummaries,
    LiveSpan,
    RecentWindow,
    Strategy,
    compacted_segments,
    segments_text,
    strategy_of,
    window_of,
)
from apps.engine.summary.rendering import HEADINGS, section_tokens
from tests.engine.conversations import POLICY, SMALL, call, conversations, dialogue, indexed, result
from tests.engine.spans import HIDING, Case, cases, key_indexes, live_span, segment_spans, segments, weights

# Choice of the strategy.


@pytest.mark.parametrize(
    ("tokens", "strategy"),
    [
        (0, Strategy.FULL),
        (3_000, Strategy.FULL),
        (3_001, Strategy.WINDOWED),
        (25_000, Strategy.WINDOWED),
        (25_001, Strategy.COMPACTED),
        (80_000, Strategy.COMPACTED),
        (80_001, Strategy.MULTI_LEVEL),
    ],
)
def test_the_strategy_depends_on_the_ratio_of_tokens_to_budget(tokens: int, strategy: Strategy) -> None:
    assert strategy_of(LiveSpan(0, (), tokens), grant=3_000, budget=10_000) is strategy


def test_a_partly_loaded_conversation_is_never_full() -> None:
    partial = LiveSpan(0, (), 2_000, complete=False)
    assert strategy_of(partial, grant=3_000, budget=10_000) is Strategy.WINDOWED


def test_a_strategy_is_chosen_even_without_a_budget() -> None:
    assert strategy_of(LiveSpan(0, (), 1), grant=0, budget=0) is Strategy.WINDOWED


def test_the_shares_match_the_design() -> None:
    percents = {strategy: (share.window, share.summaries, share.keys) for strategy, share in SHARES.items()}
    assert percents == {"windowed": (70, 30, 0), "compacted": (65, 10, 25), "multi_level": (70, 30, 0)}
    assert all(sum(shares) == 100 for shares in percents.values())


# Invariants on random spans.


@given(cases, st.sampled_from(HIDING), st.integers(0, 6_000))
def test_no_part_exceeds_its_share_nor_all_the_grant(case: Case, strategy: Strategy, grant: int) -> None:
    live, summaries = case.drawn()
    window = window_of(live, strategy, summaries, grant, SMALL)
    shares, earlier = SHARES[strategy], window.earlier
    summaries = HistoryContent(earlier.segments, omitted=earlier.omitted).tokens
    assert summaries <= grant * shares.summaries // 100
    assert HistoryContent(keys=earlier.keys).tokens <= grant * shares.keys // 100
    shown = [message for message in live.earlier if message.index >= window.start]
    min_tokens = sum(cost_of(message, SMALL) for message in shown[1:])
    assert min_tokens + earlier.tokens <= grant or not shown


@given(cases, st.sampled_from(HIDING), st.integers(0, 6_000))
def test_nothing_is_represented_twice_and_all_is_in_order(case: Case, strategy: Strategy, grant: int) -> None:
    live, summaries = case.drawn()
    window = window_of(live, strategy, summaries, grant, SMALL)
    keys = key_indexes(window)
    assert keys == sorted(keys)
    indexes = [
        *window.earlier.omitted,
        *(at for segment in window.earlier.segments for at in (segment.first, segment.last)),
        *keys,
    ]
    assert indexes == sorted(indexes)
    assert all(older.last < newer.first for older, newer in pairwise(window.earlier.segments))
    assert len(set(keys)) == len(keys)
    ends = [segment.last for segment in window.earlier.segments]
    assert not keys or not ends or ends[-1] < keys[0]
    assert all(index < window.start for index in indexes)
    assert not window.earlier.omitted or not ends or window.earlier.omitted[-1] < window.earlier.segments[0].first


@given(cases, st.sampled_from(HIDING), st.integers(0, 6_000))
def test_only_a_segment_that_extends_into_live_messages_covers_compacted_ones(
    case: Case, strategy: Strategy, grant: int
) -> None:
    live, summaries = case.drawn()
    window = window_of(live, strategy, summaries, grant, SMALL)
    assert all(segment.last >= live.begin for segment in window.earlier.segments)
    assert all(segment.first >= live.begin for segment in window.earlier.segments[1:])
    assert not window.earlier.omitted or window.earlier.omitted[0] >= live.begin
    compacted = compacted_segments(summaries, live.begin, grant)
    assert all(segment.last < live.begin for segment in compacted)
    assert section_tokens(segments_text(compacted)) <= grant


@given(st.lists(conversations, min_size=1, max_size=4), st.sampled_from(HIDING), st.integers(0, 6_000))
def test_the_window_does_not_begin_with_results_of_a_call_that_is_not_shown(
    pieces: list[list[Message]], strategy: Strategy, grant: int
) -> None:
    messages = indexed(message for piece in pieces for message in piece)
    # One segment per message, so that segments also end between a call and its result.
    known = {Segment(1, at): SegmentText(Segment(1, at), at, at, "told") for at in range(len(messages))}
    window = window_of(live_span(messages, SMALL), strategy, HistorySummaries(known, weights(messages)), grant, SMALL)
    shown = [message for message in messages if message.index >= window.start]
    assert len(shown) <= SMALL.newest_message_count or not shown[0].results


@given(cases, st.sampled_from(HIDING), st.integers(0, 6_000))
def test_key_messages_appear_only_in_the_compacted_strategy(case: Case, strategy: Strategy, grant: int) -> None:
    live, summaries = case.drawn()
    window = window_of(live, strategy, summaries, grant, SMALL)
    middle = min(window.start, live.begin + (live.end - live.begin) * 40 // 100)
    ends = [node.last + 1 for key, node in summaries.segments.items() if key.level == 1]
    middle_start = max((end for end in ends if live.begin <= end <= middle), default=live.begin)
    if strategy is Strategy.COMPACTED:
        assert all(index >= middle_start for index in key_indexes(window))
        assert all(span.stop <= middle_start for span in segment_spans(window))
    else:
        assert not key_indexes(window)


@given(cases, st.sampled_from(HIDING), st.integers(0, 6_000), st.integers(0, 3_000))
def test_a_larger_grant_never_shows_fewer_messages(case: Case, strategy: Strategy, grant: int, more: int) -> None:
    live, _ = case.drawn()
    starts = [window_of(live, strategy, HistorySummaries(), size, SMALL).start for size in (grant, grant + more)]
    assert starts[1] <= starts[0]


@given(cases, st.sampled_from(HIDING), st.integers(0, 6_000))
def test_the_window_starts_at_a_message_or_after_the_last(case: Case, strategy: Strategy, grant: int) -> None:
    live, summaries = case.drawn()
    window = window_of(live, strategy, summaries, grant, SMALL)
    assert window.start == live.end or window.start in {message.index for message in live.earlier}
    assert window == window_of(live, strategy, summaries, grant, SMALL)


# By example: messages of 100 tokens, with segments of 200 tokens for every 20 and every 100 messages.


@dataclass(frozen=True, slots=True)
class Row:
    """The expected window of a strategy for a number of messages and a grant."""

    strategy: Strategy
    messages: int
    grant: int
    start: int
    spans: tuple[tuple[int, int], ...]
    omitted: range = range(0)
    keys: int = 0


@pytest.mark.parametrize(
    "row",
    [
        # 30 % for summaries: 1,800. The window uses at most three quarters of the remaining 4,936.
        Row(Strategy.WINDOWED, 200, 6_000, 164, ((0, 99), (100, 119), (120, 139), (140, 159), (160, 163))),
        # 10 % for one text about the messages before 80, 25 % for the most important ones after that.
        Row(Strategy.COMPACTED, 200, 6_000, 168, ((0, 79),), keys=13),
        # Quotes of the messages without a segment before the window, and one short text about everything earlier.
        Row(Strategy.MULTI_LEVEL, 400, 1_500, 392, ((0, 379), (380, 391))),
        # Coarse segments for distant messages, fine ones for recent messages.
        Row(
            Strategy.MULTI_LEVEL,
            400,
            4_800,
            374,
            ((0, 99), (100, 199), (200, 299), (300, 319), (320, 339), (340, 359), (360, 373)),
        ),
    ],
    ids=lambda row: f"{row.strategy.value}-{row.grant}",
)
def test_each_strategy_divides_the_grant_by_its_own_shares(row: Row) -> None:
    messages = dialogue(row.messages, 100)
    summaries = HistorySummaries(segments(row.messages // 20), weights(messages))
    window = window_of(live_span(messages), row.strategy, summaries, row.grant, POLICY)
    assert window.start == row.start
    assert tuple((span[0], span[-1]) for span in segment_spans(window)) == row.spans
    assert window.earlier.omitted == row.omitted
    assert len(window.earlier.keys.ids) == row.keys


def test_if_everything_fits_nothing_precedes_the_window() -> None:
    summaries = HistorySummaries(segments(4), weights(dialogue(80, 100)))
    window = window_of(live_span(dialogue(80, 100)[30:], begin=30), Strategy.FULL, summaries, 6_000, POLICY)
    assert window == RecentWindow(Strategy.FULL, 30)
    assert window_of(LiveSpan(12, (), 0), Strategy.FULL, HistorySummaries(), 6_000, POLICY).start == 12


def test_tokens_unused_by_summaries_go_to_the_window() -> None:
    messages = dialogue(200, 100)
    long = window_of(live_span(messages), Strategy.WINDOWED, HistorySummaries(segments(10)), 6_000, POLICY)
    short = window_of(
        live_span(messages), Strategy.WINDOWED, HistorySummaries(segments(10, characters=100)), 6_000, POLICY
    )
    assert [segment.segment.level for segment in short.earlier.segments] == [1] * 8
    assert short.start < long.start


def test_a_window_starts_at_a_near_segment_boundary() -> None:
    messages, short_segments = dialogue(200, 100), segments(10, characters=300)
    starts = [
        window_of(live_span(messages), Strategy.WINDOWED, HistorySummaries(short_segments), grant, POLICY).start
        for grant in range(5_800, 6_900, 100)
    ]
    assert starts == sorted(starts, reverse=True)
    assert starts.count(160) >= 3


def test_distant_segments_are_condensed_into_one_short_text() -> None:
    messages, known = dialogue(400, 100), segments(20)
    lines = "\n".join(f"- user: thing number {place} of many" for place in range(22))
    known = {key: replace(node, text=lines) for key, node in known.items()}
    window = window_of(live_span(messages), Strategy.MULTI_LEVEL, HistorySummaries(known), 2_600, POLICY)
    spans = [(segment.first, segment.last) for segment in window.earlier.segments]
    assert spans == [(0, 339), (340, 359), (360, 379), (380, 386)]
    assert window.earlier.segments[0].tokens < window.earlier.segments[1].tokens
    assert not window.earlier.omitted


def test_messages_without_a_closed_segment_are_quoted() -> None:
    messages = dialogue(195, 100)
    window = window_of(live_span(messages), Strategy.WINDOWED, HistorySummaries(segments(9)), 1_000, POLICY)
    assert [(segment.first, segment.last) for segment in window.earlier.segments] == [(180, 189)]
    assert "[… messages 0–179 left out …]\n[Messages 180–189]\n" in window.earlier.text
    assert window.start == 190


def test_a_segment_without_a_text_extends_the_gap_before_it() -> None:
    messages, known = dialogue(200, 100), segments(10)
    known = {key: node for key, node in known.items() if key.level == 1}
    known[Segment(1, 5)] = SegmentText(Segment(1, 5), 100, 119, "")
    window = window_of(live_span(messages), Strategy.WINDOWED, HistorySummaries(known), 6_000, POLICY)
    assert window.earlier.text.startswith(f"{HEADINGS['earlier']}\n[… messages 0–119 left out …]\n[Messages 120–139]\n")


def test_a_segment_cut_by_the_window_is_quoted_up_to_the_window() -> None:
    messages = [replace(message, content=f"Thing {message.index}. {message.content}") for message in dialogue(200, 100)]
    window = window_of(live_span(messages), Strategy.WINDOWED, HistorySummaries(segments(10)), 6_000, POLICY)
    cut = window.earlier.segments[-1]
    assert (cut.first, cut.last, window.start) == (160, 164, 165)
    assert {int(index) for index in re.findall(r"Thing (\d+)", cut.text)} <= set(range(160, 165))
    assert "Thing 160." in cut.text and "Thing 164." in cut.text


def test_a_window_never_snaps_to_results_without_their_call() -> None:
    """The segment ends between the call and its result, near the preferred start of the window."""
    messages = indexed([*dialogue(160, 100)[:-1], call("c", "x" * 350), result("c", "y" * 350), *dialogue(40, 100)[1:]])
    known = {Segment(1, 0): SegmentText(Segment(1, 0), 0, 159, "told")}
    starts = {
        window_of(live_span(messages), Strategy.WINDOWED, HistorySummaries(known), grant, POLICY).start
        for grant in range(4_000, 6_400, 50)
    }
    assert 160 not in starts and len(starts) > 10


def test_the_middle_begins_where_a_segment_ends_at_two_fifths_at_most() -> None:
    messages = dialogue(229, 100)
    window = window_of(
        live_span(messages), Strategy.COMPACTED, HistorySummaries(segments(11), weights(messages)), 6_000, POLICY
    )
    assert segment_spans(window) == [range(80)]
    assert "[… messages 80–171 left out …]" in window.earlier.text
    assert min(key_indexes(window)) == 172


def test_without_segments_the_key_messages_come_from_all_before_the_window() -> None:
    messages = dialogue(200, 100)
    messages[3] = replace(messages[3], content="We decided it: the final conclusion is agreed.")
    window = window_of(live_span(messages), Strategy.COMPACTED, HistorySummaries({}, weights(messages)), 6_000, POLICY)
    assert window.earlier.text.startswith(
        f"[… messages 0–2 left out …]\n\n{HEADINGS['key_messages']}\n[#3 assistant]\n"
    )
    assert key_indexes(window)[0] == 3


def test_a_segment_that_starts_among_compacted_messages_counts_as_live() -> None:
    summaries = HistorySummaries(segments(10))
    window = window_of(live_span(dialogue(200, 100)[30:], begin=30), Strategy.WINDOWED, summaries, 9_000, POLICY)
    assert (window.earlier.segments[0].first, window.earlier.segments[0].last) == (20, 39)
    assert [(segment.first, segment.last) for segment in compacted_segments(summaries, 30, 1_000)] == [(0, 19)]


def test_compacted_segments_fill_their_share() -> None:
    summaries = HistorySummaries(segments(10))
    assert [segment.first for segment in compacted_segments(summaries, 200, 2_000)] == [0, 100, 120, 140, 160, 180]
    assert [segment.first for segment in compacted_segments(summaries, 200, 500)] == [0, 100]
    assert [segment.first for segment in compacted_segments(summaries, 200, 300)] == [100]
    assert compacted_segments(summaries, 200, 200) == () == compacted_segments(summaries, 0, 1_000)
    assert segments_text(()) == ""


def test_the_window_does_not_begin_with_an_excerpt_of_results() -> None:
    many = result("call", "line " * 100).parts * 12
    messages = indexed([*dialogue(20, 150), replace(result("call"), parts=many), *dialogue(5, 20)])
    for grant in range(200, 1_500, 20):
        window = window_of(
            live_span(messages, SMALL), Strategy.WINDOWED, HistorySummaries({}, weights(messages)), grant, SMALL
        )
        assert window.start != 20, grant
