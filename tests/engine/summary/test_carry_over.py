"""Carrying lines over from one summary to the next: surviving, removed and lost lines."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.policy import Policy
from apps.engine.summary.carry_over import (
    RemovalReason,
    RemovedLine,
    credible_removals,
    lost_lines,
    missing_lines,
    names_of,
    removed_from_json,
    removed_to_json,
    with_lost,
)
from apps.engine.summary.rolling_summary import (
    Decision,
    Definition,
    Entry,
    Line,
    Reference,
    ReferenceType,
    RollingSummary,
)

POOL = Decision("Use psycopg3 with a pool of 20", "it is async", ("b",))
WHITE = Decision("Paint the garden shed white", "", ("c",))
JOBS = Reference(ReferenceType.FILE, "billing/jobs.py", "", ("d",))
NOTEBOOK = Reference(ReferenceType.OTHER, "the blue notebook", "", ("e",))
GOAL = Line("Move the billing service to Python 3.13", ("a",))
QUESTION = Line("Who pays for the paint?", ("f",))
CURRENT = RollingSummary(
    goals=(GOAL,), decisions=(POOL, WHITE), references=(JOBS, NOTEBOOK), open_questions=(QUESTION,)
)


def test_no_line_is_lost_if_nothing_changes() -> None:
    assert lost_lines(CURRENT, CURRENT, {}) == ()
    assert missing_lines(CURRENT, CURRENT, {}, Policy()) == ()


def test_missing_decisions_and_named_references_are_lost_and_other_lines_removed() -> None:
    empty = RollingSummary()
    assert list(lost_lines(CURRENT, empty, {})) == [("decisions", POOL), ("decisions", WHITE), ("references", JOBS)]
    assert [removed.reason for removed in missing_lines(CURRENT, empty, {}, Policy())] == [RemovalReason.UNKNOWN] * 6


def test_a_decision_survives_if_its_names_appear_in_any_line() -> None:
    moved = RollingSummary(requirements=(Line("The pool of 20 (psycopg3) stays; see BILLING/jobs.py", ("z",)),))
    assert list(lost_lines(CURRENT, moved, {})) == [("decisions", WHITE)]


def test_a_different_number_is_a_different_decision() -> None:
    other = replace(CURRENT, decisions=(replace(POOL, text="Use psycopg3 with a pool of 40"), WHITE))
    assert list(lost_lines(CURRENT, other, {})) == [("decisions", POOL)]


def test_a_decision_without_names_survives_in_a_line_with_its_source() -> None:
    merged = replace(CURRENT, decisions=(POOL, Decision("The shed becomes white, in May", "", ("c", "g"))))
    other_source = replace(CURRENT, decisions=(POOL, Decision("The shed becomes white, in May", "", ("g",))))
    unrelated = replace(CURRENT, decisions=(POOL, Decision("Buy bread", "", ("c",))))
    assert lost_lines(CURRENT, merged, {}) == ()
    assert list(lost_lines(CURRENT, other_source, {})) == [("decisions", WHITE)]
    assert list(lost_lines(CURRENT, unrelated, {})) == [("decisions", WHITE)]


def test_a_reported_removal_is_not_a_loss_and_its_reason_is_stored() -> None:
    reported: dict[Entry, RemovedLine] = {WHITE: RemovedLine("decisions", WHITE.text, RemovalReason.SUPERSEDED, ("h",))}
    proposed = replace(CURRENT, decisions=(POOL, Decision("Paint the shed green", "", ("h",))))
    assert lost_lines(CURRENT, proposed, reported) == ()
    assert missing_lines(CURRENT, proposed, reported, Policy()) == (reported[WHITE],)


def test_a_removal_from_a_full_field_is_explained_by_the_limit() -> None:
    policy = Policy(max_goals=1)
    goals = (Line("Sing", ("z",)),)
    assert missing_lines(CURRENT, replace(CURRENT, goals=goals), {}, policy)[0].reason is RemovalReason.LIMIT
    assert missing_lines(CURRENT, replace(CURRENT, goals=goals), {}, Policy())[0].reason is RemovalReason.UNKNOWN


def test_impossible_reasons_are_ignored() -> None:
    reported: dict[Entry, RemovedLine] = {
        POOL: RemovedLine("decisions", POOL.text, RemovalReason.LIMIT),
        WHITE: RemovedLine("decisions", WHITE.text, RemovalReason.SUPERSEDED),
        QUESTION: RemovedLine("open_questions", QUESTION.text, RemovalReason.ANSWERED, ("g",)),
    }
    assert set(credible_removals(reported, RollingSummary(), Policy())) == {QUESTION}
    full = RollingSummary(decisions=(Decision("x", "", ("y",)),))
    assert set(credible_removals(reported, full, Policy(max_decisions=1))) == {POOL, QUESTION}


def test_lost_lines_are_restored_before_newer_ones_up_to_the_limit() -> None:
    newer = tuple(Decision(f"New choice {word}", "", ("z",)) for word in ("one", "two"))
    lost = lost_lines(CURRENT, RollingSummary(decisions=newer), {})
    assert with_lost(RollingSummary(decisions=newer), lost, Policy()).decisions == (POOL, WHITE, *newer)
    assert with_lost(RollingSummary(decisions=newer), lost, Policy(max_decisions=3)).decisions == (WHITE, *newer)
    assert with_lost(RollingSummary(), lost, Policy()).references == (JOBS,)


def test_corrected_lines_never_count_as_lost() -> None:
    corrected = RollingSummary(decisions=(replace(WHITE, corrected=True),))
    assert lost_lines(corrected, RollingSummary(), {}) == () == missing_lines(corrected, RollingSummary(), {}, Policy())


def test_names_are_searchable_identifiers() -> None:
    assert names_of(POOL) == ("psycopg3", "20")
    assert names_of(JOBS) == ("billing/jobs.py",)
    assert names_of(WHITE) == names_of(NOTEBOOK) == names_of(GOAL) == ()
    assert names_of(Definition("pack 2", "what is sent", ("a",))) == ()


def test_removed_lines_round_trip_through_json() -> None:
    removals = missing_lines(CURRENT, RollingSummary(), {}, Policy())
    assert removed_from_json(removed_to_json(removals)) == removals


WORDS = st.sampled_from(["redis", "queue", "shed", "white", "v2.1", "a/b.py", "20", "pool", "paint", "sky"])
DECISIONS = st.lists(
    st.builds(
        lambda words, source: Decision(" ".join(words), "", (source,)),
        st.lists(WORDS, min_size=1, max_size=4),
        st.sampled_from("abcdef"),
    ),
    max_size=8,
    unique_by=lambda decision: decision.text,
)


@given(DECISIONS, DECISIONS, st.integers(1, 10))
def test_after_restoring_lost_lines_every_missing_decision_has_a_reason(
    before: list[Decision], after: list[Decision], limit: int
) -> None:
    policy = Policy(max_decisions=limit)
    current = RollingSummary(decisions=tuple(before[-limit:]))
    proposed = RollingSummary(decisions=tuple(after[-limit:]))
    settled = with_lost(proposed, lost_lines(current, proposed, {}), policy)
    assert len(settled.decisions) <= limit
    reasons = {removed.reason for removed in missing_lines(current, settled, {}, policy)}
    assert reasons <= {RemovalReason.LIMIT}
    assert settled.decisions[len(settled.decisions) - len(proposed.decisions) :] == proposed.decisions
