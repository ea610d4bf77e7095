"""A user's corrections of the summary survive all later summaries."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.messages.message import Message, Role
from apps.engine.policy import Level, Policy
from apps.engine.summary.corrections import (
    MOST_DISMISSED,
    Correction,
    CorrectionRefused,
    corrected,
    with_corrections,
)
from apps.engine.summary.extractive import summarize
from apps.engine.summary.quality_gate import Replacement, summary_problem
from apps.engine.summary.rendering import summary_text
from apps.engine.summary.rolling_summary import (
    FIELDS,
    Decision,
    Definition,
    Line,
    Reference,
    ReferenceType,
    RollingSummary,
    lines_only_from,
    summary_from_json,
    summary_to_json,
    without_sources,
)
from apps.engine.summary.trimming import trim_summary
from apps.engine.tokens.estimate import estimate_text
from tests.engine.conversations import summaries

POLICY = Policy()
MONGODB_DECISION = "We decided to use MongoDB because it is fast."
SUMMARY = RollingSummary(
    goals=(Line("Ship the booking service", ("a",)), Line("Keep answers quick", ("b",))),
    decisions=(Decision("We decided to use MongoDB", "it is fast.", ("a",)),),
    definitions=(Definition("slot", "half an hour", ("c",)),),
    references=(Reference(ReferenceType.FILE, "apps/a/models.py", "", ("c",)),),
)


def write(summary: RollingSummary, field: str, position: int | None, line: Any, limit: int = 5) -> RollingSummary:
    return corrected(summary, Correction(field, position, line), limit)


def user_message(number: int, content: str) -> Message:
    return Message(f"m{number}", number, Role.USER, content, 12)


def test_a_rewritten_line_keeps_its_sources() -> None:
    summary = write(SUMMARY, "goals", 1, Line("Answers within 10 ms", ()))
    assert summary.goals == (SUMMARY.goals[0], Line("Answers within 10 ms", ("b",), corrected=True))
    assert summary.dismissed == ("Keep answers quick",)


def test_an_added_line_has_no_sources() -> None:
    summary = write(SUMMARY, "definitions", None, Definition("shift", "eight hours", ()))
    assert summary.definitions[-1] == Definition("shift", "eight hours", (), corrected=True)
    assert summary.dismissed == ()


def test_a_removed_line_is_dismissed() -> None:
    summary = write(SUMMARY, "decisions", 0, None)
    assert (summary.decisions, summary.dismissed) == ((), ("We decided to use MongoDB",))


def test_a_line_added_again_is_no_longer_dismissed() -> None:
    summary = write(SUMMARY, "goals", 1, None)
    assert write(summary, "goals", None, Line("Keep answers quick", ())).dismissed == ()


@pytest.mark.parametrize(
    ("field", "position", "line", "limit", "code"),
    [
        ("goals", 2, Line("x", ()), 5, "no_such_line"),
        ("decisions", 1, None, 5, "no_such_line"),
        ("goals", None, Line("x", ()), 2, "field_full"),
        ("goals", None, Line("SHIP the booking service", ()), 5, "line_exists"),
        ("goals", 1, Line("Ship the booking service", ()), 5, "line_exists"),
        ("definitions", None, Definition("Slot", "an hour", ()), 5, "line_exists"),
        ("references", None, Reference(ReferenceType.CODE, "apps/a/models.py", "x", ()), 5, "line_exists"),
    ],
)
def test_an_invalid_correction_is_rejected(field: str, position: int | None, line: Any, limit: int, code: str) -> None:
    with pytest.raises(CorrectionRefused) as rejected:
        write(SUMMARY, field, position, line, limit)
    assert rejected.value.code == code


def test_a_line_of_a_full_field_can_be_rewritten() -> None:
    assert write(SUMMARY, "goals", 0, Line("Ship it", ()), limit=2).goals[0].text == "Ship it"


def test_only_the_newest_dismissed_texts_are_stored() -> None:
    summary = RollingSummary(dismissed=tuple(f"Old text {number}" for number in range(MOST_DISMISSED)))
    summary = write(write(summary, "goals", None, Line("Mine", ())), "goals", 0, None)
    assert (len(summary.dismissed), summary.dismissed[-1]) == (MOST_DISMISSED, "Mine")


@given(summaries, st.sets(st.integers(0, 40)))
def test_corrections_round_trip_through_json(summary: RollingSummary, positions: set[int]) -> None:
    fields = {
        field: tuple(
            replace(entry, corrected=position in positions, sources=() if position in positions else entry.sources)
            for position, entry in enumerate(getattr(summary, field))
        )
        for field in FIELDS
    }
    stored = RollingSummary(**fields, dismissed=("removed",))  # type: ignore[arg-type]  # each field has its own kind
    assert summary_from_json(json.loads(json.dumps(summary_to_json(stored)))) == stored


def test_a_user_s_own_line_survives_any_exclusion() -> None:
    summary = write(write(SUMMARY, "goals", None, Line("Mine", ())), "goals", 1, Line("Quick answers", ()))
    removed = frozenset({"a", "b", "c"})
    assert without_sources(summary, removed).goals == (Line("Mine", (), corrected=True),)
    assert ("goals", Line("Quick answers", ("b",), corrected=True)) in lines_only_from(summary, removed)
    assert len(lines_only_from(summary, removed)) == 5


@pytest.mark.parametrize("level", list(Level))
def test_the_summarizer_preserves_corrected_lines_verbatim(level: Level) -> None:
    summary = write(SUMMARY, "decisions", 0, Decision("We use PostgreSQL after all", "it is safe", ()))
    summary = write(summary, "open_questions", None, Line("Who is on call?", ()))
    summary = write(summary, "current_plan", None, Line("Write the report", ()))
    messages = [
        user_message(1, MONGODB_DECISION),
        user_message(2, "Alice is on call. The report is done. Next we will write the tests."),
    ]
    proposed = summarize(summary, messages, level, POLICY)
    assert [line for _, line in proposed.entries() if line.corrected] == [
        line for _, line in summary.entries() if line.corrected
    ]
    assert "MongoDB" not in summary_text(proposed)


@pytest.mark.parametrize("level", list(Level))
def test_a_removed_line_is_not_extracted_again(level: Level) -> None:
    assert "MongoDB" in summary_text(summarize(RollingSummary(), [user_message(1, MONGODB_DECISION)], level, POLICY))
    summary = write(SUMMARY, "decisions", 0, None)
    proposed = summarize(summary, [user_message(1, MONGODB_DECISION)], level, POLICY)
    assert "MongoDB" not in summary_text(proposed)
    assert proposed.dismissed == summary.dismissed


def test_a_different_number_is_a_different_line() -> None:
    summary = RollingSummary(requirements=(Line("The deadline must be 2026-12-01 for every team", ("a",)),))
    summary = write(summary, "requirements", 0, Line("The deadline must be 2026-12-15 for every team", ()))
    proposed = RollingSummary(
        requirements=(
            Line("The deadline must be 2026-12-01 for all teams", ("b",)),
            Line("The deadline must be 2027-01-31 for every team", ("b",)),
        )
    )
    merged = [line.text[21:31] for line in with_corrections(proposed, summary, POLICY).requirements]
    assert merged == ["2026-12-15", "2027-01-31"]


def test_a_model_s_rewording_of_a_corrected_line_is_dropped() -> None:
    summary = write(SUMMARY, "references", 0, Reference(ReferenceType.FILE, "apps/b/models.py", "the tables", ()))
    summary = write(summary, "definitions", 0, Definition("slot", "an hour", ()))
    proposed = RollingSummary(
        definitions=(Definition("Slot", "half an hour", ("z",)),),
        references=(
            Reference(ReferenceType.FILE, "apps/a/models.py", "noted again", ("z",)),
            Reference(ReferenceType.FILE, "apps/b/models.py", "", ("z",)),
            Reference(ReferenceType.FILE, "apps/c/models.py", "", ("z",)),
        ),
    )
    merged = with_corrections(proposed, summary, POLICY)
    assert merged.definitions == (Definition("slot", "an hour", ("c",), corrected=True),)
    assert [line.value for line in merged.references] == ["apps/b/models.py", "apps/c/models.py"]


def test_corrected_lines_take_precedence_within_the_limit_and_keep_their_order() -> None:
    summary = RollingSummary()
    for text in ("first", "second", "third"):
        summary = write(summary, "goals", None, Line(text, ()))
    proposed = RollingSummary(goals=tuple(Line(f"Goal of the {number}th sprint", ("z",)) for number in range(5)))
    merged = with_corrections(proposed, summary, POLICY).goals
    assert [line.text for line in merged] == [
        *("first", "second", "third"),
        *("Goal of the 3th sprint", "Goal of the 4th sprint"),
    ]
    topics = ("the catalogue", "PostgreSQL", "a refund form", "Berlin", "dark mode", "the audit log")
    messages = [user_message(number, f"Our goal is to ship {topic}.") for number, topic in enumerate(topics)]
    assert len(summarize(RollingSummary(), messages, Level.LIGHT, POLICY).goals) == 5
    assert len(summarize(summary, messages, Level.LIGHT, POLICY).goals) == 5


def test_a_summary_without_corrections_is_unchanged() -> None:
    assert with_corrections(SUMMARY, RollingSummary(goals=(Line("old", ("a",)),)), POLICY) == SUMMARY


def test_the_quality_gate_ignores_corrected_lines() -> None:
    current = RollingSummary()
    for number in range(8):
        current = write(current, "references", None, Reference(ReferenceType.FILE, f"f{number}.py", "", ()), 20)
    proposed = RollingSummary(goals=(Line("Ship it", ("z",)),))
    assert summary_problem(Replacement(current, proposed, 3_000)) is None


def test_trimming_removes_corrected_lines_last() -> None:
    lines = tuple(Line(f"Requirement number {number}", ("a",), corrected=number == 0) for number in range(4))
    summary = RollingSummary(requirements=lines)
    trimmed = trim_summary(summary, estimate_text(summary_text(summary)) - 1)
    assert [line.text[-1] for line in trimmed.summary.requirements] == ["0", "2", "3"]
    assert [entry for _, entry in trim_summary(summary, 0).removed_lines] == [lines[1], lines[2], lines[3], lines[0]]
