"""The rolling summary: its stored form and the removal of sources."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.summary.rolling_summary import (
    FIELDS,
    Decision,
    Definition,
    Line,
    RollingSummary,
    summary_from_json,
    summary_to_json,
    without_sources,
)
from tests.engine.conversations import summaries

IDS = ("m0", "m1", "m2", "m3", "m4")


def test_the_seven_fields_are_in_the_documented_order() -> None:
    assert FIELDS == (
        "goals",
        "decisions",
        "requirements",
        "current_plan",
        "open_questions",
        "definitions",
        "references",
    )


@given(summaries)
def test_a_stored_summary_reads_back_unchanged(summary: RollingSummary) -> None:
    assert summary_from_json(json.loads(json.dumps(summary_to_json(summary)))) == summary


@given(summaries)
def test_sorted_object_keys_do_not_change_the_order(summary: RollingSummary) -> None:
    assert summary_from_json(json.loads(json.dumps(summary_to_json(summary), sort_keys=True))) == summary


def test_definitions_are_stored_by_their_term() -> None:
    stored = summary_to_json(RollingSummary(definitions=(Definition("slot", "half an hour", ("m1",)),)))
    assert stored["definitions"] == {
        "slot": {"text": "half an hour", "sources": ["m1"], "corrected": False, "reported": False, "place": 0}
    }


def test_missing_fields_of_a_stored_summary_are_empty() -> None:
    stored = {"definitions": {"slot": {"text": "half an hour", "sources": ["m1"]}}}
    assert summary_from_json(stored) == RollingSummary(definitions=(Definition("slot", "half an hour", ("m1",)),))
    assert not summary_from_json({})


@given(summaries)
def test_a_summary_with_a_line_is_truthy_and_counts_each_field(summary: RollingSummary) -> None:
    entries = list(summary.entries())
    assert bool(summary) == bool(entries)
    assert summary.sizes() == {field: sum(name == field for name, _ in entries) for field in FIELDS}


@given(summaries, st.sets(st.sampled_from(IDS)).map(frozenset))
def test_lines_lose_removed_sources_and_disappear_without_any(summary: RollingSummary, removed: frozenset[str]) -> None:
    remaining = without_sources(summary, removed)
    assert all(entry.sources and not removed & set(entry.sources) for _, entry in remaining.entries())
    expected = sum(bool(set(entry.sources) - removed) for _, entry in summary.entries())
    assert len(list(remaining.entries())) == expected


@given(summaries)
def test_removing_no_sources_changes_nothing(summary: RollingSummary) -> None:
    assert without_sources(summary, frozenset()) == summary


def test_a_line_with_another_source_only_loses_the_removed_one() -> None:
    summary = RollingSummary(
        goals=(Line("ship", ("m1",)),), decisions=(Decision("Django", "the team knows it", ("m1", "m2")),)
    )
    remaining = without_sources(summary, frozenset({"m1"}))
    assert remaining == RollingSummary(decisions=(Decision("Django", "the team knows it", ("m2",)),))
