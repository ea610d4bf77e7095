"""Decay: a pure function of the stored strength and the time."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.memory.decay import DAY, Strength, accessed, curve, first_strength, relevance_at, sort_key
from apps.engine.memory.trust import Trust
from apps.engine.policy import Policy, policy_override

POLICY = Policy()
FLOOR = 0.1
NOW = datetime(2026, 3, 1, tzinfo=UTC).timestamp()

any_floats = st.floats() | st.sampled_from([math.nan, math.inf, -math.inf])
policies = st.builds(
    lambda days, floor, boost: policy_override(
        POLICY, {"memory_half_life_days": days, "relevance_floor_percent": floor, "access_boost_percent": boost}
    ),
    st.integers(1, 3_000),
    st.integers(1, 100),
    st.integers(1, 100),
)
strengths = st.builds(Strength, st.floats(FLOOR, 1), st.floats(NOW - 2_000 * DAY, NOW))
later = st.floats(0, 2_000 * DAY).map(lambda seconds: NOW + seconds)


def close(first: float, second: float) -> bool:
    return math.isclose(first, second, rel_tol=1e-9)


@given(any_floats, any_floats, any_floats, policies)
def test_relevance_is_always_between_the_floor_and_one(base: float, last: float, time: float, policy: Policy) -> None:
    strength = Strength(base, last)
    for candidate in (strength, accessed(strength, time, policy)):
        assert policy.relevance_floor_percent / 100 <= relevance_at(candidate, time, policy) <= 1


@given(strengths, later, later)
def test_relevance_only_falls_with_time(strength: Strength, first: float, second: float) -> None:
    earlier, after = sorted((first, second))
    assert relevance_at(strength, earlier, POLICY) >= relevance_at(strength, after, POLICY)


@given(strengths, st.lists(later, max_size=10), later)
def test_storing_an_intermediate_relevance_does_not_change_later_ones(
    strength: Strength, runs: list[float], time: float
) -> None:
    """A job could store the relevance any number of times a day with the same result."""
    stored = strength
    for run in sorted(run for run in runs if run <= time):
        stored = Strength(relevance_at(stored, run, POLICY), run)
    assert close(relevance_at(stored, time, POLICY), relevance_at(strength, time, POLICY))


def test_relevance_halves_in_ninety_days() -> None:
    strength = Strength(1.0, NOW)
    days = (0, 30, 90, 180, 299, 300, 3_000)
    relevances = [round(relevance_at(strength, NOW + day * DAY, POLICY), 3) for day in days]
    assert relevances == [1.0, 0.794, 0.5, 0.25, 0.1, 0.1, 0.1]


@given(strengths, st.floats(0, 5_000 * DAY))
def test_a_clock_moved_back_changes_nothing(strength: Strength, back: float) -> None:
    time = strength.last_access - back
    assert relevance_at(strength, time, POLICY) == relevance_at(strength, strength.last_access, POLICY)
    assert accessed(strength, time, POLICY) == strength


def test_daylight_saving_time_does_not_shift_decay() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    before, after = (datetime(2026, 3, day, 12, tzinfo=berlin) for day in (28, 29))
    strength = Strength(1.0, before.timestamp())
    assert accessed(strength, after.timestamp(), POLICY) == strength  # 23 hours later
    assert accessed(strength, after.timestamp() + 3_600, POLICY) != strength


@given(strengths, later)
def test_an_exempt_memory_never_decays(strength: Strength, time: float) -> None:
    assert relevance_at(replace(strength, exempt=True), time, POLICY) == 1


@given(strengths, later, policies)
def test_an_access_never_lowers_relevance(strength: Strength, time: float, policy: Policy) -> None:
    before, after = relevance_at(strength, time, policy), accessed(strength, time, policy)
    assert before <= relevance_at(after, time, policy) <= 1
    if time - strength.last_access >= DAY:
        assert close(relevance_at(after, time, policy), before + policy.access_boost_percent / 100 * (1 - before))
        assert after.last_access == time
    else:
        assert after == strength


@given(strengths, later, st.floats(0, DAY, exclude_max=True))
def test_a_second_access_within_a_day_changes_nothing(strength: Strength, time: float, soon: float) -> None:
    """Two concurrent accesses therefore count as one."""
    once = accessed(strength, time, POLICY)
    if once.last_access == time and time + soon - time < DAY:
        assert accessed(once, time + soon, POLICY) == once


@given(strengths, later)
def test_an_access_counts_the_same_for_an_exempt_memory(strength: Strength, time: float) -> None:
    exempt = accessed(replace(strength, exempt=True), time, POLICY)
    assert exempt == replace(accessed(strength, time, POLICY), exempt=True)


# Close to each other, so that neither base nor date alone determines the order.
recent = st.builds(Strength, st.floats(FLOOR, 1), st.floats(NOW - 200 * DAY, NOW))
soon = st.floats(0, 200 * DAY).map(lambda seconds: NOW + seconds)


@given(recent, recent, soon)
def test_the_sort_key_orders_like_the_relevance_at_any_time(first: Strength, second: Strength, time: float) -> None:
    relevances = [relevance_at(strength, time, POLICY) for strength in (first, second)]
    keys = [sort_key(strength, POLICY) for strength in (first, second)]
    if min(relevances) > FLOOR and not close(*relevances):
        assert (relevances[0] < relevances[1]) == (keys[0] < keys[1])
    elif relevances[0] > FLOOR >= relevances[1]:
        assert keys[0] > keys[1]


@pytest.mark.parametrize(("base", "counts_as"), [(0.0, FLOOR), (-1.0, FLOOR), (0.05, FLOOR), (2.0, 1.0)])
def test_a_base_out_of_bounds_sorts_as_its_clamped_relevance(base: float, counts_as: float) -> None:
    assert sort_key(Strength(base, NOW), POLICY) == sort_key(Strength(counts_as, NOW), POLICY)


@given(strengths)
def test_exempt_memories_sort_before_all_others(strength: Strength) -> None:
    assert sort_key(replace(strength, exempt=True), POLICY) > sort_key(Strength(1.0, NOW + 5_000 * DAY), POLICY)


@pytest.mark.parametrize(
    ("trust", "signalled", "base"),
    [
        (Trust.DIRECT_USER, False, 1.0),
        (Trust.MODEL_INFERENCE, True, 1.0),
        (Trust.MODEL_INFERENCE, False, 0.8),
        (Trust.TOOL, False, 0.8),
        (Trust.IMPORTED, False, 0.8),
    ],
)
def test_a_new_memory_counts_from_the_date_of_its_fact(trust: Trust, signalled: bool, base: float) -> None:
    assert first_strength(trust, NOW, signalled=signalled) == Strength(base, NOW)


@given(strengths, later, st.floats(1, 1_000), st.integers(2, 50))
def test_a_curve_covers_both_ends(strength: Strength, start: float, days: float, points: int) -> None:
    samples = curve(strength, start, days, points, POLICY)
    assert len(samples) == points
    assert (samples[0].time, samples[-1].time) == (start, start + days * DAY)
    assert all(point.relevance == relevance_at(strength, point.time, POLICY) for point in samples)
    assert [point.time for point in samples] == sorted(point.time for point in samples)


@pytest.mark.parametrize(("days", "points"), [(90, 1), (90, 0), (0, 2), (-1, 2)])
def test_a_curve_without_two_points_or_a_duration_is_rejected(days: float, points: int) -> None:
    with pytest.raises(ValueError, match="two points"):
        curve(Strength(1.0, NOW), NOW, days, points, POLICY)
