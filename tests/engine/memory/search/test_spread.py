"""Spreading results over the days they are from."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.memory.search.spread import SAME_DAY, spread

scored = st.lists(st.tuples(st.floats(-5, 5), st.integers(1, 4)), max_size=30).map(
    lambda results: sorted(results, reverse=True)
)


def _spread(results: list[tuple[float, int]], most: int) -> list[tuple[float, int]]:
    return spread(results, most, score=lambda one: one[0], day=lambda one: one[1])


@given(scored, st.integers(1, 40))
def test_it_chooses_as_many_as_wanted_and_each_once(results: list[tuple[float, int]], most: int) -> None:
    chosen = _spread(results, most)
    assert len(chosen) == min(most, len(results))
    assert sorted(_spread(results, 100)) == sorted(results)


@given(scored)
def test_results_of_one_day_stay_in_order(results: list[tuple[float, int]]) -> None:
    chosen = _spread(results, 100)
    for day in range(1, 5):
        assert [one for one in chosen if one[1] == day] == [one for one in results if one[1] == day]


def test_another_day_comes_first_only_if_it_is_almost_as_good() -> None:
    near, far = 1.0 - SAME_DAY / 2, 1.0 - SAME_DAY * 2
    assert _spread([(1.0, 1), (1.0, 1), (near, 2)], 2) == [(1.0, 1), (near, 2)]
    assert _spread([(1.0, 1), (1.0, 1), (far, 2)], 2) == [(1.0, 1), (1.0, 1)]
