"""How candidates are counted against labels."""

from __future__ import annotations

import pytest

from studies.reading.material import Fact, Row, Span, Trap, row_of, span_of
from studies.reading.score import Candidate, Reading, Score, score_of

TEXT = "My sister Ada moved to Lisbon. What is the weather there? The code of the gate is 7305."
MOVED, ASKED, CODE = "Ada moved to Lisbon", "What is the weather there", "The code of the gate is 7305"


def row(text: str = TEXT, command: str = "", commanded: str = "") -> Row:
    fact = Fact(
        span_of(TEXT, MOVED),
        "Ada lives in Lisbon.",
        "Ada",
        "entities",
        "lives_in",
        "Lisbon",
        "lasting",
        "changed",
        "Porto",
    )
    traps = (Trap(span_of(TEXT, ASKED), "question"), Trap(span_of(TEXT, CODE), "secret"))
    return Row("w1", "w1-001", "en", "plain", "", text, (fact,), traps, command, commanded)


def candidate(quote: str, chance: float = 0.9, about: str = "Ada") -> Candidate:
    return Candidate(span_of(TEXT, quote), chance, about, "entities", "lives_in", "changed")


def score(*candidates: Candidate, command: str = "", commanded: str = "", of: Row | None = None) -> Score:
    return score_of(of or row(), Reading(candidates, command, commanded), 0.5)


def test_a_candidate_that_quotes_a_fact_is_right_with_what_it_says() -> None:
    numbers = score(candidate(MOVED)).numbers()
    assert numbers == {
        "precision": 1,
        "recall": 1,
        "traps_taken": 0,
        "subject_right": 1,
        "category_right": 1,
        "attribute_right": 1,
        "command_right": 0,
        "change_right": 1,
    }


def test_half_of_the_quote_is_enough_and_more_than_its_sentence_too_much() -> None:
    assert score(candidate("moved to Lisbon")).right == 1
    assert score(candidate("to Lisbon")).found == 0
    assert score(candidate("Ada moved to Lisbon. What is the weather there? The")).found == 0


def test_a_trap_is_wrong_and_counted_as_taken() -> None:
    wrong = score(candidate(MOVED), candidate(CODE))
    assert (wrong.right, wrong.wrong, wrong.taken, wrong.traps) == (1, 1, 1, 2)


def test_a_fact_that_reaches_into_a_trap_is_found_and_wrong() -> None:
    both = score(Candidate(Span(TEXT.index(MOVED), TEXT.index(ASKED) + 1), 0.9))
    assert (both.found, both.right, both.wrong, both.taken) == (1, 0, 1, 1)


def test_a_fact_said_twice_is_matched_once_and_not_held_against_anybody() -> None:
    twice = score(candidate(MOVED), candidate("moved to Lisbon", 0.8))
    assert (twice.right, twice.wrong, twice.unlabeled) == (1, 0, 0)


def test_a_fact_said_twice_is_wrong_where_it_reaches_into_a_trap() -> None:
    beyond = Candidate(Span(TEXT.index("moved"), TEXT.index(ASKED) + 1), 0.8)
    assert score(candidate(MOVED), beyond).wrong == 1


def test_names_share_a_word_of_meaning() -> None:
    assert score(candidate(MOVED, about="my sister Ada")).subject_right == 1
    assert score(candidate(MOVED, about="the dog")).subject_right == 0


def test_what_no_writer_labeled_is_wrong_only_where_nothing_is_worth_keeping() -> None:
    assert (score(candidate("My sister")).unlabeled, score(candidate("My sister")).wrong) == (1, 0)
    empty = Row("w1", "w1-002", "en", "plain", "", TEXT, (), (), "", "")
    assert score(candidate("My sister"), of=empty).wrong == 1


def test_what_is_not_sure_enough_does_not_count() -> None:
    assert score(candidate(MOVED, 0.4)).found == 0


@pytest.mark.parametrize(
    ("said", "commanded", "right", "count"),
    [
        ("forget", "the gate code", 1, 1),
        ("forget", "the wifi", 0, 1),
        ("remember", "the gate code", 0, 1),
        ("", "", 0, 0),
    ],
)
def test_a_command_is_right_with_its_kind_and_object(said: str, commanded: str, right: int, count: int) -> None:
    told = score(command=said, commanded=commanded, of=row(command="forget", commanded="the gate code"))
    assert (told.commands_right, told.commands_predicted, told.commands) == (right, count, 1)


def test_a_command_that_was_not_given_counts_against() -> None:
    assert score(command="forget", commanded="the gate").commands_predicted == 1


def test_a_row_must_quote_its_text() -> None:
    raw = {"id": "a", "lang": "en", "register": "", "before": "", "text": "Hi", "facts": [], "command": None}
    with pytest.raises(ValueError, match="substring not found"):
        row_of("w1", raw | {"not": [{"quote": "Hello", "why": "task"}]})
