"""The quality gate that a model's summary must pass before it replaces the current one."""

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


def test_an_unchanged_summary_passes() -> None:
    assert problem(CURRENT) == ""


def test_an_empty_summary_of_a_long_text_fails() -> None:
    assert "no lines" in problem(RollingSummary(), current=RollingSummary())


def test_an_empty_summary_of_a_short_text_passes_if_there_was_none_before() -> None:
    assert problem(RollingSummary(), current=RollingSummary(), compacted_tokens=300) == ""


def test_a_summary_with_fewer_than_half_of_the_lines_fails() -> None:
    assert "2 lines" in problem(RollingSummary(goals=lines("one", "two")))


def test_placeholders_do_not_count_as_lines() -> None:
    skeleton = RollingSummary(
        goals=lines("No prior history", "None"),
        requirements=lines("N/A", "Not specified"),
        open_questions=lines("None."),
    )
    assert "no lines" in problem(skeleton)
    assert "0 lines" in problem(skeleton, compacted_tokens=500)
    assert not without_placeholders(skeleton)


def test_a_summary_longer_than_the_compacted_text_fails() -> None:
    assert "longer" in problem(RollingSummary(goals=lines(*["very long " * 40] * 5)), compacted_tokens=100)


def test_identifiers_come_from_decisions_and_searchable_references() -> None:
    assert identifiers(CURRENT) == {"psycopg3", "20", "celery_beat", "billing/jobs.py"}


def test_losing_more_than_two_fifths_of_the_names_fails() -> None:
    message = problem(RollingSummary(goals=lines("Use psycopg3", "a pool", "no beat", "one file", "five")))
    assert "celery_beat" in message
    assert "billing/jobs.py" in message


def test_names_may_move_to_other_lines() -> None:
    assert problem(RollingSummary(goals=lines("psycopg3, pool 20", "see BILLING/jobs.py", "and so on"))) == ""


@pytest.mark.parametrize("text", ["目标是上线", "Нет кэша в тестах", "No tabs", "Not before May", "the plan"])
def test_a_line_with_content_is_not_a_placeholder(text: str) -> None:
    assert not is_placeholder(text)
