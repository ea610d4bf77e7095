"""The rolling summary: its stored form, and what is left of it when sources go."""

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


def test_the_seven_fields_stand_in_their_order() -> None:
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
def test_what_is_stored_reads_back_the_same(summary: RollingSummary) -> None:
    assert summary_from_json(json.loads(json.dumps(summary_to_json(summary)))) == summary


@given(summaries)
def test_a_database_that_sorts_the_keys_of_an_object_loses_no_order(summary: RollingSummary) -> None:
    assert summary_from_json(json.loads(json.dumps(summary_to_json(summary), sort_keys=True))) == summary


def test_definitions_are_stored_by_their_term() -> None:
    stored = summary_to_json(RollingSummary(definitions=(Definition("slot", "half an hour", ("m1",)),)))
    assert stored["definitions"] == {
        "slot": {"text": "half an hour", "sources": ["m1"], "corrected": False, "place": 0}
    }


def test_a_stored_summary_without_some_fields_is_empty_there() -> None:
    stored = {"definitions": {"slot": {"text": "half an hour", "sources": ["m1"]}}}
    assert summary_from_json(stored) == RollingSummary(definitions=(Definition("slot", "half an hour", ("m1",)),))
    assert not summary_from_json({})


@given(summaries)
def test_a_summary_is_true_when_it_has_a_line_and_counts_each_field(summary: RollingSummary) -> None:
    entries = list(summary.entries())
    assert bool(summary) == bool(entries)
    assert summary.sizes() == {field: sum(name == field for name, _ in entries) for field in FIELDS}


@given(summaries, st.sets(st.sampled_from(IDS)).map(frozenset))
def test_no_line_keeps_a_source_that_is_gone_nor_stays_without_one(
    summary: RollingSummary, removed: frozenset[str]
) -> None:
    left = without_sources(summary, removed)
    assert all(entry.sources and not removed & set(entry.sources) for _, entry in left.entries())
    kept = sum(bool(set(entry.sources) - removed) for _, entry in summary.entries())
    assert len(list(left.entries())) == kept


@given(summaries)
def test_with_nothing_gone_nothing_changes(summary: RollingSummary) -> None:
    assert without_sources(summary, frozenset()) == summary


def test_a_line_with_another_source_stays_and_forgets_only_the_one() -> None:
    summary = RollingSummary(
        goals=(Line("ship", ("m1",)),), decisions=(Decision("Django", "the team knows it", ("m1", "m2")),)
    )
    left = without_sources(summary, frozenset({"m1"}))
    assert left == RollingSummary(decisions=(Decision("Django", "the team knows it", ("m2",)),))
