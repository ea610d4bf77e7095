"""What a person wrote into the summary outlives every summary that comes after it."""

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
from apps.engine.summary.extractive import summarise
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
from apps.engine.tokens.counting import count_text
from tests.engine.conversations import summaries

POLICY = Policy()
SAID = "We decided to use MongoDB because it is fast."
TALK = RollingSummary(
    goals=(Line("Ship the booking service", ("a",)), Line("Keep answers quick", ("b",))),
    decisions=(Decision("We decided to use MongoDB", "it is fast.", ("a",)),),
    definitions=(Definition("slot", "half an hour", ("c",)),),
    references=(Reference(ReferenceType.FILE, "apps/a/models.py", "", ("c",)),),
)


def write(summary: RollingSummary, field: str, place: int | None, line: Any, limit: int = 5) -> RollingSummary:
    return corrected(summary, Correction(field, place, line), limit)


def said(number: int, content: str) -> Message:
    return Message(f"m{number}", number, Role.USER, content, 12)


def test_a_line_is_written_anew_and_keeps_its_sources() -> None:
    summary = write(TALK, "goals", 1, Line("Answers within 10 ms", ()))
    assert summary.goals == (TALK.goals[0], Line("Answers within 10 ms", ("b",), corrected=True))
    assert summary.dismissed == ("Keep answers quick",)


def test_an_added_line_is_the_persons_own() -> None:
    summary = write(TALK, "definitions", None, Definition("shift", "eight hours", ()))
    assert summary.definitions[-1] == Definition("shift", "eight hours", (), corrected=True)
    assert summary.dismissed == ()


def test_a_line_is_taken_out() -> None:
    summary = write(TALK, "decisions", 0, None)
    assert (summary.decisions, summary.dismissed) == ((), ("We decided to use MongoDB",))


def test_what_is_written_again_is_dismissed_no_longer() -> None:
    summary = write(TALK, "goals", 1, None)
    assert write(summary, "goals", None, Line("Keep answers quick", ())).dismissed == ()


@pytest.mark.parametrize(
    ("field", "place", "line", "limit", "code"),
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
def test_a_correction_that_cannot_be_is_refused(
    field: str, place: int | None, line: Any, limit: int, code: str
) -> None:
    with pytest.raises(CorrectionRefused) as refusal:
        write(TALK, field, place, line, limit)
    assert refusal.value.code == code


def test_a_full_field_still_takes_a_line_written_anew() -> None:
    assert write(TALK, "goals", 0, Line("Ship it", ()), limit=2).goals[0].text == "Ship it"


def test_only_the_newest_dismissed_texts_are_remembered() -> None:
    summary = RollingSummary(dismissed=tuple(f"Old text {number}" for number in range(MOST_DISMISSED)))
    summary = write(write(summary, "goals", None, Line("Mine", ())), "goals", 0, None)
    assert (len(summary.dismissed), summary.dismissed[-1]) == (MOST_DISMISSED, "Mine")


@given(summaries, st.sets(st.integers(0, 40)))
def test_corrections_are_stored_and_read_back(summary: RollingSummary, places: set[int]) -> None:
    marked = {
        field: tuple(
            replace(entry, corrected=place in places, sources=() if place in places else entry.sources)
            for place, entry in enumerate(getattr(summary, field))
        )
        for field in FIELDS
    }
    mine = RollingSummary(**marked, dismissed=("removed",))  # type: ignore[arg-type]  # each field has its own kind
    assert summary_from_json(json.loads(json.dumps(summary_to_json(mine)))) == mine


def test_a_persons_own_line_stays_whatever_is_left_out() -> None:
    summary = write(write(TALK, "goals", None, Line("Mine", ())), "goals", 1, Line("Quick answers", ()))
    removed = frozenset({"a", "b", "c"})
    assert without_sources(summary, removed).goals == (Line("Mine", (), corrected=True),)
    assert ("goals", Line("Quick answers", ("b",), corrected=True)) in lines_only_from(summary, removed)
    assert len(lines_only_from(summary, removed)) == 5


@pytest.mark.parametrize("level", list(Level))
def test_the_summariser_keeps_corrected_lines_word_for_word(level: Level) -> None:
    summary = write(TALK, "decisions", 0, Decision("We use PostgreSQL after all", "it is safe", ()))
    summary = write(summary, "open_questions", None, Line("Who is on call?", ()))
    summary = write(summary, "current_plan", None, Line("Write the report", ()))
    talk = [said(1, SAID), said(2, "Alice is on call. The report is done. Next we will write the tests.")]
    told = summarise(summary, talk, level, POLICY)
    assert [line for _, line in told.entries() if line.corrected] == [
        line for _, line in summary.entries() if line.corrected
    ]
    assert "MongoDB" not in summary_text(told)


@pytest.mark.parametrize("level", list(Level))
def test_what_was_taken_out_is_not_found_again(level: Level) -> None:
    assert "MongoDB" in summary_text(summarise(RollingSummary(), [said(1, SAID)], level, POLICY))
    summary = write(TALK, "decisions", 0, None)
    told = summarise(summary, [said(1, SAID)], level, POLICY)
    assert "MongoDB" not in summary_text(told)
    assert told.dismissed == summary.dismissed


def test_another_number_is_another_line() -> None:
    summary = RollingSummary(requirements=(Line("The deadline must be 2026-12-01 for every team", ("a",)),))
    summary = write(summary, "requirements", 0, Line("The deadline must be 2026-12-15 for every team", ()))
    told = RollingSummary(
        requirements=(
            Line("The deadline must be 2026-12-01 for all teams", ("b",)),
            Line("The deadline must be 2027-01-31 for every team", ("b",)),
        )
    )
    kept = [line.text[21:31] for line in with_corrections(told, summary, POLICY).requirements]
    assert kept == ["2026-12-15", "2027-01-31"]


def test_a_model_s_own_wording_of_a_corrected_line_does_not_stand_beside_it() -> None:
    summary = write(TALK, "references", 0, Reference(ReferenceType.FILE, "apps/b/models.py", "the tables", ()))
    summary = write(summary, "definitions", 0, Definition("slot", "an hour", ()))
    told = RollingSummary(
        definitions=(Definition("Slot", "half an hour", ("z",)),),
        references=(
            Reference(ReferenceType.FILE, "apps/a/models.py", "noted anew", ("z",)),
            Reference(ReferenceType.FILE, "apps/b/models.py", "", ("z",)),
            Reference(ReferenceType.FILE, "apps/c/models.py", "", ("z",)),
        ),
    )
    kept = with_corrections(told, summary, POLICY)
    assert kept.definitions == (Definition("slot", "an hour", ("c",), corrected=True),)
    assert [line.value for line in kept.references] == ["apps/b/models.py", "apps/c/models.py"]


def test_corrected_lines_count_first_within_a_fields_limit_and_keep_their_places() -> None:
    summary = RollingSummary()
    for text in ("first", "second", "third"):
        summary = write(summary, "goals", None, Line(text, ()))
    told = RollingSummary(goals=tuple(Line(f"Goal of the {number}th sprint", ("z",)) for number in range(5)))
    kept = with_corrections(told, summary, POLICY).goals
    assert [line.text for line in kept] == [
        *("first", "second", "third"),
        *("Goal of the 3th sprint", "Goal of the 4th sprint"),
    ]
    topics = ("the catalogue", "PostgreSQL", "a refund form", "Berlin", "dark mode", "the audit log")
    messages = [said(number, f"Our goal is to ship {topic}.") for number, topic in enumerate(topics)]
    assert len(summarise(RollingSummary(), messages, Level.LIGHT, POLICY).goals) == 5
    assert len(summarise(summary, messages, Level.LIGHT, POLICY).goals) == 5


def test_with_nothing_corrected_a_summary_is_left_alone() -> None:
    assert with_corrections(TALK, RollingSummary(goals=(Line("old", ("a",)),)), POLICY) == TALK


def test_the_gate_asks_for_no_corrected_line() -> None:
    current = RollingSummary()
    for number in range(8):
        current = write(current, "references", None, Reference(ReferenceType.FILE, f"f{number}.py", "", ()), 20)
    proposed = RollingSummary(goals=(Line("Ship it", ("z",)),))
    assert summary_problem(Replacement(current, proposed, 3_000)) is None


def test_trimming_takes_what_a_person_wrote_last_in_its_field() -> None:
    lines = tuple(Line(f"Requirement number {number}", ("a",), corrected=number == 0) for number in range(4))
    summary = RollingSummary(requirements=lines)
    trimmed = trim_summary(summary, count_text(summary_text(summary)) - 1)
    assert [line.text[-1] for line in trimmed.summary.requirements] == ["0", "2", "3"]
    assert [entry for _, entry in trim_summary(summary, 0).removed_lines] == [lines[1], lines[2], lines[3], lines[0]]
