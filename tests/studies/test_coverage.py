"""Whether a text contains a turn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.coverage import BUDGETS, Findings, numbers, report
from studies.engine.coverage import Share, evidence_in, is_present

TURN = "I sold the red bicycle to Anna in Lyon."


@pytest.mark.parametrize(
    ("text", "present"),
    [
        (f"user: {TURN} Nice.", True),
        (f"user: {TURN[:36]}…", True),
        (f"user: {TURN[:35]}…", False),
        (f"…{TURN[3:]}", True),
        (f"{TURN[:20]}… {TURN[20:]}", False),
        (TURN.upper(), False),
        ("", False),
    ],
)
def test_nine_tenths_without_a_break_are_enough(text: str, present: bool) -> None:
    assert is_present(TURN, text) is present


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_a_whole_turn_is_present_at_any_position(before: str, turn: str, after: str) -> None:
    assert is_present(turn, f"{before}{turn}{after}")


@given(st.text("ab", min_size=1, max_size=30), st.text("ab", max_size=30))
def test_less_than_nine_tenths_are_never_enough(turn: str, text: str) -> None:
    if len(text) * 10 < len(turn) * 9:
        assert not is_present(turn, text)


def test_shares_add_up() -> None:
    found = evidence_in("one two", ["one", "two", "three"]) + Share(0, 1)
    assert (found, found.value, Share().value) == (Share(2, 4), 0.5, 0.0)


def test_without_coverage_of_the_window_there_is_no_ratio() -> None:
    found = {budget: Findings(pack=Share(1, 2), history_window=Share(0, 2)) for budget in BUDGETS}
    found[BUDGETS[0]].history_window = Share(1, 2)
    told = numbers(found, {})
    assert [told[f"evidence_ratio_{budget // 1_000}k"] for budget in BUDGETS] == [1.0, None, None, None]
    assert [row.split()[4] for row in report(found).splitlines()[1:]] == ["1.00", "–", "–", "–"]
