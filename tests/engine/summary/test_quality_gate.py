"""The gate before a model's summary: what may replace another, and what may not."""

from __future__ import annotations

import pytest

from apps.engine.summary.quality_gate import (
    Replacement,
    identifiers,
    is_placeholder,
    summary_problem,
    without_placeholders,
)
from apps.engine.summary.rolling_summary import Decision, Line, Reference, ReferenceType, RollingSummary

CURRENT = RollingSummary(
    goals=(Line("Move the billing service to Python 3.13", ("a",)),),
    decisions=(Decision("Use psycopg3 with a pool of 20", "async", ("b",)), Decision("Drop celery_beat", "", ("c",))),
    references=(
        Reference(ReferenceType.FILE, "billing/jobs.py", "", ("d",)),
        Reference(ReferenceType.OTHER, "the blue notebook", "", ("e",)),
    ),
)


def lines(*texts: str) -> tuple[Line, ...]:
    return tuple(Line(text, ("m",)) for text in texts)


def problem(proposed: RollingSummary, *, current: RollingSummary = CURRENT, compacted_tokens: int = 5_000) -> str:
    return str(summary_problem(Replacement(current, proposed, compacted_tokens)) or "")


def test_the_same_summary_passes() -> None:
    assert problem(CURRENT) == ""


def test_nothing_for_much_text_does_not_pass() -> None:
    assert "no lines" in problem(RollingSummary(), current=RollingSummary())


def test_nothing_for_small_talk_passes_where_nothing_was_before() -> None:
    assert problem(RollingSummary(), current=RollingSummary(), compacted_tokens=300) == ""


def test_fewer_than_half_of_the_lines_do_not_pass() -> None:
    assert "2 lines" in problem(RollingSummary(goals=lines("one", "two")))


def test_a_skeleton_counts_as_nothing() -> None:
    skeleton = RollingSummary(
        goals=lines("No prior history", "None"),
        requirements=lines("N/A", "Not specified"),
        open_questions=lines("None."),
    )
    assert "no lines" in problem(skeleton)
    assert "0 lines" in problem(skeleton, compacted_tokens=500)
    assert not without_placeholders(skeleton)


def test_a_summary_longer_than_all_it_replaces_does_not_pass() -> None:
    assert "longer" in problem(RollingSummary(goals=lines(*["very long " * 40] * 5)), compacted_tokens=100)


def test_identifiers_come_from_decisions_and_references_that_can_be_found_again() -> None:
    assert identifiers(CURRENT) == {"psycopg3", "20", "celery_beat", "billing/jobs.py"}


def test_losing_more_than_two_fifths_of_the_names_does_not_pass() -> None:
    told = problem(RollingSummary(goals=lines("Use psycopg3", "a pool", "no beat", "one file", "five")))
    assert "celery_beat" in told
    assert "billing/jobs.py" in told


def test_names_may_move_to_other_lines_and_a_few_may_go() -> None:
    assert problem(RollingSummary(goals=lines("psycopg3, pool 20", "see BILLING/jobs.py", "and so on"))) == ""


@pytest.mark.parametrize("text", ["目标是上线", "Нет кэша в тестах", "No tabs", "Not before May", "the plan"])
def test_a_line_that_says_something_is_no_placeholder(text: str) -> None:
    assert not is_placeholder(text)
