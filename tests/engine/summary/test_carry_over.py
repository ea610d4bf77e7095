"""What becomes of a summary's lines: what stands on, what is gone and why, and what must not be lost."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.policy import Policy
from apps.engine.summary.carry_over import (
    RemovalReason,
    RemovedLine,
    believed,
    departed,
    lost_lines,
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


def test_nothing_is_lost_where_all_stands_on() -> None:
    assert lost_lines(CURRENT, CURRENT, {}) == ()
    assert departed(CURRENT, CURRENT, {}, Policy()) == ()


def test_decisions_and_named_references_are_lost_and_other_lines_only_leave() -> None:
    empty = RollingSummary()
    assert list(lost_lines(CURRENT, empty, {})) == [("decisions", POOL), ("decisions", WHITE), ("references", JOBS)]
    assert [removed.reason for removed in departed(CURRENT, empty, {}, Policy())] == [RemovalReason.UNKNOWN] * 6


def test_a_decision_stands_on_by_its_names_wherever_they_are() -> None:
    moved = RollingSummary(requirements=(Line("The pool of 20 (psycopg3) stays; see BILLING/jobs.py", ("z",)),))
    assert list(lost_lines(CURRENT, moved, {})) == [("decisions", WHITE)]


def test_another_number_is_another_decision() -> None:
    other = replace(CURRENT, decisions=(replace(POOL, text="Use psycopg3 with a pool of 40"), WHITE))
    assert list(lost_lines(CURRENT, other, {})) == [("decisions", POOL)]


def test_a_decision_without_names_stands_on_in_a_line_written_from_it() -> None:
    united = replace(CURRENT, decisions=(POOL, Decision("The shed becomes white, in May", "", ("c", "g"))))
    elsewhere = replace(CURRENT, decisions=(POOL, Decision("The shed becomes white, in May", "", ("g",))))
    unlike = replace(CURRENT, decisions=(POOL, Decision("Buy bread", "", ("c",))))
    assert lost_lines(CURRENT, united, {}) == ()
    assert list(lost_lines(CURRENT, elsewhere, {})) == [("decisions", WHITE)]
    assert list(lost_lines(CURRENT, unlike, {})) == [("decisions", WHITE)]


def test_what_is_told_to_be_gone_is_not_lost_and_its_reason_is_kept() -> None:
    reported: dict[Entry, RemovedLine] = {WHITE: RemovedLine("decisions", WHITE.text, RemovalReason.SUPERSEDED, ("h",))}
    now = replace(CURRENT, decisions=(POOL, Decision("Paint the shed green", "", ("h",))))
    assert lost_lines(CURRENT, now, reported) == ()
    assert departed(CURRENT, now, reported, Policy()) == (reported[WHITE],)


def test_a_full_field_explains_what_left_it_and_a_field_with_room_explains_nothing() -> None:
    policy = Policy(max_goals=1)
    goals = (Line("Sing", ("z",)),)
    assert departed(CURRENT, replace(CURRENT, goals=goals), {}, policy)[0].reason is RemovalReason.LIMIT
    assert departed(CURRENT, replace(CURRENT, goals=goals), {}, Policy())[0].reason is RemovalReason.UNKNOWN


def test_reasons_that_cannot_be_true_are_not_believed() -> None:
    reported: dict[Entry, RemovedLine] = {
        POOL: RemovedLine("decisions", POOL.text, RemovalReason.LIMIT),
        WHITE: RemovedLine("decisions", WHITE.text, RemovalReason.SUPERSEDED),
        QUESTION: RemovedLine("open_questions", QUESTION.text, RemovalReason.ANSWERED, ("g",)),
    }
    assert set(believed(reported, RollingSummary(), Policy())) == {QUESTION}
    full = RollingSummary(decisions=(Decision("x", "", ("y",)),))
    assert set(believed(reported, full, Policy(max_decisions=1))) == {POOL, QUESTION}


def test_lost_lines_come_back_before_the_newer_ones_as_far_as_there_is_room() -> None:
    newer = tuple(Decision(f"New choice {word}", "", ("z",)) for word in ("one", "two"))
    lost = lost_lines(CURRENT, RollingSummary(decisions=newer), {})
    assert with_lost(RollingSummary(decisions=newer), lost, Policy()).decisions == (POOL, WHITE, *newer)
    assert with_lost(RollingSummary(decisions=newer), lost, Policy(max_decisions=3)).decisions == (WHITE, *newer)
    assert with_lost(RollingSummary(), lost, Policy()).references == (JOBS,)


def test_corrected_lines_are_nobody_s_to_lose() -> None:
    own = RollingSummary(decisions=(replace(WHITE, corrected=True),))
    assert lost_lines(own, RollingSummary(), {}) == () == departed(own, RollingSummary(), {}, Policy())


def test_names_are_what_can_be_searched_for() -> None:
    assert names_of(POOL) == ("psycopg3", "20")
    assert names_of(JOBS) == ("billing/jobs.py",)
    assert names_of(WHITE) == names_of(NOTEBOOK) == names_of(GOAL) == ()
    assert names_of(Definition("pack 2", "what is sent", ("a",))) == ()


def test_what_left_comes_back_from_its_stored_form() -> None:
    left = departed(CURRENT, RollingSummary(), {}, Policy())
    assert removed_from_json(removed_to_json(left)) == left


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
def test_after_what_was_lost_is_back_every_decision_stands_or_has_a_reason(
    before: list[Decision], after: list[Decision], limit: int
) -> None:
    policy = Policy(max_decisions=limit)
    current = RollingSummary(decisions=tuple(before[-limit:]))
    proposed = RollingSummary(decisions=tuple(after[-limit:]))
    settled = with_lost(proposed, lost_lines(current, proposed, {}), policy)
    assert len(settled.decisions) <= limit
    reasons = {removed.reason for removed in departed(current, settled, {}, policy)}
    assert reasons <= {RemovalReason.LIMIT}
    assert settled.decisions[len(settled.decisions) - len(proposed.decisions) :] == proposed.decisions
