"""The series of live tokens, derived from sampled messages and the compactions between them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.compaction.token_history import CompactionDrop, Point, live_series, sampled

THROUGH = {index: 10 * (index + 1) for index in range(10)}


def values(points: list[Point]) -> list[int]:
    return [point.live_tokens for point in points]


@given(st.integers(0, 500), st.integers(-1, 500), st.integers(1, 120))
def test_sampled_indexes_are_spread_over_the_range(first: int, length: int, count: int) -> None:
    indexes = sampled(first, first + length, count)
    assert len(indexes) == len(set(indexes)) <= count
    assert indexes == sorted(indexes)
    if length >= 1 and count >= 2:
        assert (indexes[0], indexes[-1]) == (first, first + length)


def test_without_a_compaction_live_tokens_follow_the_messages() -> None:
    assert values(live_series(THROUGH, [], 100)) == list(range(10, 101, 10))


def test_live_tokens_drop_at_each_compaction() -> None:
    points = live_series(THROUGH, [CompactionDrop(3, 40, 15), CompactionDrop(7, 55, 20)], 40)
    assert values(points) == [10, 20, 30, 40, 25, 35, 45, 55, 30, 40]
    assert all(point.exact for point in points)


def test_inconsistent_counts_give_estimates_that_end_at_the_exact_total() -> None:
    points = live_series(THROUGH, [CompactionDrop(3, 40, 15)], 45)
    assert values(points) == [10, 20, 30, 40, 20, 25, 30, 35, 40, 45]
    assert [point.exact for point in points] == [True] * 4 + [False] * 5 + [True]


def test_a_series_may_start_at_a_compaction() -> None:
    through = {index: total for index, total in THROUGH.items() if index >= 3}
    assert values(live_series(through, [CompactionDrop(3, 40, 15)], 75)) == [25, 35, 45, 55, 65, 75]


def test_two_compactions_at_one_index_are_supported() -> None:
    points = live_series(THROUGH, [CompactionDrop(3, 40, 20), CompactionDrop(3, 20, 20)], 80)
    assert values(points) == [10, 20, 30, 40, 30, 40, 50, 60, 70, 80]


def test_an_empty_conversation_has_no_points() -> None:
    assert live_series({}, [], 0) == []


@given(
    st.dictionaries(st.integers(0, 60), st.integers(0, 10_000), max_size=20),
    st.lists(st.builds(CompactionDrop, st.integers(0, 60), st.integers(0, 9_000), st.integers(0, 9_000)), max_size=6),
    st.integers(0, 10_000),
)
def test_any_stored_data_gives_a_valid_series(through: dict[int, int], drops: list[CompactionDrop], live: int) -> None:
    points = live_series(through, sorted(drops, key=lambda drop: drop.index), live)
    assert all(point.live_tokens >= 0 for point in points)
    assert [point.index for point in points] == sorted({point.index for point in points})
