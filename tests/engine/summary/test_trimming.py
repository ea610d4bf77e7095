"""Trimming a summary to a limit in a fixed order, with every removed line reported."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.summary.rendering import summary_text
from apps.engine.summary.rolling_summary import Decision, Definition, Line, Reference, ReferenceType, RollingSummary
from apps.engine.summary.trimming import trim_summary
from apps.engine.tokens.estimate import estimate_text
from tests.engine.conversations import summaries

FULL = RollingSummary(
    goals=(Line("goal old", ("a",)), Line("goal new", ("b",))),
    decisions=(Decision("decision old", "", ("a",)), Decision("decision new", "why", ("b",))),
    requirements=(Line("requirement old", ("a",)), Line("requirement new", ("b",))),
    current_plan=(Line("plan old", ("a",)), Line("plan new", ("b",))),
    open_questions=(Line("question old", ("a",)), Line("question new", ("b",))),
    definitions=(Definition("old", "definition", ("a",)), Definition("new", "definition", ("b",))),
    references=(
        Reference(ReferenceType.FILE, "old.py", "", ("a",)),
        Reference(ReferenceType.URL, "https://new.example", "", ("b",)),
    ),
)


def test_lines_are_removed_in_the_documented_order() -> None:
    removed = trim_summary(FULL, 0).removed_lines
    assert [field for field, _ in removed] == [
        *("references", "definitions", "requirements", "decisions", "open_questions"),
        *("references", "definitions", "requirements", "decisions", "open_questions"),
        *("current_plan", "current_plan", "goals", "goals"),
    ]
    assert all("a" in entry.sources for _, entry in removed[:5])
    assert all("b" in entry.sources for _, entry in removed[5:10])
    assert [entry.sources for _, entry in removed[10:]] == [("a",), ("b",), ("a",), ("b",)]


@given(summaries, st.integers(0, 400))
def test_a_trimmed_summary_fits(summary: RollingSummary, limit: int) -> None:
    assert estimate_text(summary_text(trim_summary(summary, limit).summary)) <= limit


@given(summaries)
def test_a_summary_that_fits_is_unchanged(summary: RollingSummary) -> None:
    trimmed = trim_summary(summary, estimate_text(summary_text(summary)))
    assert (trimmed.summary, trimmed.removed_lines) == (summary, ())


@given(summaries, st.integers(0, 400))
def test_every_line_is_either_kept_or_reported_as_removed(summary: RollingSummary, limit: int) -> None:
    trimmed = trim_summary(summary, limit)
    assert Counter([*trimmed.summary.entries(), *trimmed.removed_lines]) == Counter(summary.entries())


@given(summaries, st.integers(0, 400))
def test_no_more_lines_are_removed_than_needed(summary: RollingSummary, limit: int) -> None:
    trimmed = trim_summary(summary, limit)
    if trimmed.removed_lines:
        field, entry = trimmed.removed_lines[-1]
        entries = {name: getattr(trimmed.summary, name) for name in summary.sizes()}
        before = RollingSummary(**{**entries, field: (entry, *entries[field])})
        assert estimate_text(summary_text(before)) > limit


@given(summaries, st.integers(0, 400), st.integers(0, 100))
def test_a_larger_limit_never_keeps_fewer_lines(summary: RollingSummary, limit: int, more: int) -> None:
    less = set(trim_summary(summary, limit).summary.entries())
    assert less <= set(trim_summary(summary, limit + more).summary.entries())


def test_duplicate_lines_are_removed_one_at_a_time() -> None:
    line = Line("the same", ("a",))
    summary = RollingSummary(requirements=(line, line, line))
    trimmed = trim_summary(summary, estimate_text(summary_text(summary)) - 1)
    assert (trimmed.summary.requirements, trimmed.removed_lines) == ((line, line), (("requirements", line),))
