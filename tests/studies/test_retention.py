"""Counting of planted facts in summaries, packs and searches."""

from __future__ import annotations

from studies.engine.retention import Fact, FindRetention, PackRetention, SummaryLine, SummaryRetention, mean_of

RAW = {"fact": "The pool holds 20.", "index": 3, "needles": ["pool", "20"], "q": "How big?", "cue": "nocue"}
POOL = Fact.parse({**RAW, "kind": "number", "stale": []})
OVERTURNED = Fact.parse({**RAW, "kind": "correction", "stale": ["holds 10"]})


def line(text: str, *sources: int, field: str = "decisions") -> SummaryLine:
    return SummaryLine(field, text, frozenset(sources))


def test_a_fact_is_in_a_text_that_has_all_its_needles() -> None:
    assert POOL.is_in("the pool has 20 connections")
    assert not POOL.is_in("the pool has 10 connections")


def test_a_reversal_is_right_only_without_what_it_overturned() -> None:
    right, wrong = SummaryRetention(), SummaryRetention()
    right.note([OVERTURNED], [line("The pool holds 20.", 3)])
    wrong.note([OVERTURNED], [line("The pool holds 20.", 3), line("The pool holds 10.", 1)])
    assert (right.numbers()["reversals_right"], right.numbers()["overturned_standing"]) == (1, 0)
    assert (wrong.numbers()["reversals_right"], wrong.numbers()["overturned_standing"]) == (0, 1)


def test_a_line_without_a_planted_source_is_junk_unless_it_is_a_reference() -> None:
    summary = SummaryRetention()
    summary.note([POOL], [line("pool 20", 3), line("nice day", 5), line("a.py", 6, field="references")])
    assert summary.numbers()["junk_share"] == 0.5
    assert summary.numbers()["summary_facts_uncued"] == 1


def test_a_pack_must_have_the_sentence_word_for_word() -> None:
    packs = PackRetention()
    packs.note(POOL, "user: The pool\nholds 20.", "the pool holds twenty")
    assert (packs.questions, packs.in_pack, packs.in_window) == (1, 1, 0)


def test_ranks_are_counted_by_depth_and_kind() -> None:
    found = FindRetention()
    found.note("date", "b", ["a", "b"])
    found.note("date", "z", ["a", "b"])
    found.note("name", "a", ["a"])
    assert (found.within(1), found.within(2), found.by_kind(2)) == (1, 2, {"date": "1/2", "name": "1/1"})


def test_there_is_no_mean_of_nothing() -> None:
    assert (mean_of([]), mean_of([0.5, 1.0])) == (None, 0.75)
