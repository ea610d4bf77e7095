"""Scores in the tree, and the rounds of a search."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.memory.search.rounds import (
    EQUAL_ROUNDS,
    MOST_DIRECTORIES,
    MOST_ROUNDS,
    Candidate,
    End,
    Rounds,
    scored,
)

shares = st.floats(0, 1)
candidates = st.lists(
    st.builds(Candidate, st.uuids().map(str), st.sampled_from(["", "a", "b", "c"]), st.floats(-1, 6), shares),
    max_size=12,
    unique_by=lambda one: one.id,
)


def test_good_company_lifts_a_result_above_an_equal_one_without() -> None:
    best = Candidate("best", "rome", 3.0, 1.0)
    first, second = Candidate("in-rome", "rome", 1.0, 1.0), Candidate("alone", "oslo", 1.0, 1.0)
    assert [one.id for one in scored([second, first, best])] == ["best", "in-rome", "alone"]


def test_a_faded_result_comes_after_a_fresh_one_that_is_a_little_less_similar() -> None:
    assert [one.id for one in scored([Candidate("old", "", 3.0, 0.1), Candidate("new", "", 2.7, 1.0)])] == [
        "new",
        "old",
    ]


def test_bad_company_puts_a_result_behind_an_equal_one_without_company() -> None:
    lone, other = Candidate("alone", "oslo", 3.0, 1.0), Candidate("in-rome", "rome", 3.0, 1.0)
    assert [one.id for one in scored([other, lone, Candidate("far", "rome", 0.5, 1.0)])][:2] == ["alone", "in-rome"]


@given(candidates)
def test_every_part_and_every_score_is_a_share(found: list[Candidate]) -> None:
    for one in scored(found):
        assert all(0 <= part <= 1 for part in (one.similarity, one.relevance, one.parent_score, one.total))


@given(candidates, st.randoms())
def test_scores_do_not_depend_on_the_order_of_the_candidates(found: list[Candidate], random: Random) -> None:
    other = list(found)
    random.shuffle(other)
    assert scored(found) == scored(other)


def test_messages_of_one_conversation_keep_the_order_that_find_gave_them() -> None:
    found = [Candidate(str(number), "conversation", 5.0 - number / 10, 1.0) for number in range(20)]
    assert [one.id for one in scored(found)] == [one.id for one in found]


def test_rounds_look_into_the_directories_of_the_best_and_never_twice_into_one() -> None:
    rounds = Rounds(top_k=2)
    rounds.add([Candidate("a", "rome", 3.0, 1.0), Candidate("b", "oslo", 2.0, 1.0), Candidate("c", "kyiv", 1.0, 1.0)])
    assert rounds.next_directories() == ("rome", "oslo")
    rounds.finish_round(rounds.next_directories(), rounds.add([Candidate("d", "rome", 2.9, 1.0)]))
    assert [one.id for one in rounds.best] == ["a", "d"]
    assert rounds.next_directories() == ()
    assert rounds.end is End.EXHAUSTED


def test_three_equal_rounds_end_a_search() -> None:
    rounds = Rounds(top_k=1)
    rounds.add([Candidate("a", "rome", 3.0, 1.0)])
    for number in range(EQUAL_ROUNDS):
        assert rounds.end is not End.STABLE
        rounds.finish_round([f"directory {number}"], 1)
    assert rounds.end is End.STABLE


def test_a_search_ends_after_six_rounds_that_all_changed_something() -> None:
    rounds = Rounds(top_k=1)
    for number in range(MOST_ROUNDS):
        added = rounds.add([Candidate(f"better {number}", f"directory {number}", 1.0 + number, 1.0)])
        rounds.finish_round(rounds.next_directories(), added)
    assert rounds.end is End.ROUNDS
    assert [one.best for one in rounds.done] == [(f"better {number}",) for number in range(MOST_ROUNDS)]


def test_the_better_score_of_a_candidate_found_twice_counts() -> None:
    rounds = Rounds(top_k=1)
    rounds.add([Candidate("a", "", 1.0, 1.0)])
    assert rounds.add([Candidate("a", "", 2.0, 1.0), Candidate("a", "", 0.5, 1.0)]) == 0
    assert rounds.candidates["a"].similarity == 2.0


def test_a_round_looks_into_a_limited_number_of_directories() -> None:
    rounds = Rounds(top_k=50)
    rounds.add(Candidate(str(number), f"directory {number}", 1.0, 1.0) for number in range(50))
    assert len(rounds.next_directories()) == MOST_DIRECTORIES
