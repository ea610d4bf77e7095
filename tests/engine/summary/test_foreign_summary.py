"""Comparison of another program's summary with ours."""

from __future__ import annotations

from apps.engine.summary.foreign_summary import compare
from apps.engine.summary.rolling_summary import Decision, Line, Reference, ReferenceType, RollingSummary

OWN = RollingSummary(
    goals=(Line("Exact prices", ("m0",)),),
    decisions=(
        Decision("Use Decimal for prices", "floats are not exact", ("m1",)),
        Decision("The pool has 20 connections", "", ("m2",)),
    ),
    requirements=(Line("Answers within 250 ms", ("m3",)),),
    references=(Reference(ReferenceType.FILE, "app/cart.py", "", ("m4",)),),
)


def test_a_summary_that_says_all_of_it_loses_nothing() -> None:
    text = "Prices use Decimal. The pool has 20 connections, answers come within 250 ms. See app/cart.py."
    comparison = compare(OWN, text)
    assert (comparison.compared, comparison.lost) == (4, ())


def test_a_lost_line_has_its_field_names_and_sources() -> None:
    lost = {one.text: one for one in compare(OWN, "Prices use Decimal; the pool is small.").lost}
    assert set(lost) == {"The pool has 20 connections", "Answers within 250 ms", "[file] app/cart.py"}
    pool = lost["The pool has 20 connections"]
    assert (pool.field, pool.names, pool.sources) == ("decisions", ("20",), ("m2",))


def test_another_number_is_another_thing() -> None:
    assert "The pool has 20 connections" in {one.text for one in compare(OWN, "The pool has 200 connections").lost}


def test_goals_are_not_compared_and_an_empty_summary_loses_nothing() -> None:
    assert all(one.field != "goals" for one in compare(OWN, "").lost)
    assert compare(RollingSummary(), "anything").lost == ()


def test_its_json_is_what_an_observation_stores() -> None:
    stored = compare(OWN, "Prices use Decimal.").to_json()
    assert stored["compared"] == 4
    assert stored["lost"][0] == {"field": "decisions", "text": "The pool has 20 connections", "names": ["20"]}
