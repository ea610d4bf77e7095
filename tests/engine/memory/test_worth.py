"""What describes a person in every pack: the memories that are worth most, each thing once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apps.engine.memory.worth import MOST_LINES, DescribingMemory, most_worth

PLAIN = DescribingMemory("plain", "I live in Porto", 0.5)


@pytest.mark.parametrize(
    "better",
    [
        replace(PLAIN, relevance=0.6),
        replace(PLAIN, sources=2),
        replace(PLAIN, uses=3),
        replace(PLAIN, is_own_words=True),
    ],
    ids=["more relevant", "confirmed", "used", "own words"],
)
def test_what_speaks_for_a_memory_brings_it_forward(better: DescribingMemory) -> None:
    assert most_worth([PLAIN, replace(better, id="better", text="I work as a nurse")]) == ["better", "plain"]


def test_of_near_duplicates_the_better_one_is_chosen() -> None:
    again = replace(PLAIN, id="again", relevance=0.9)
    assert most_worth([PLAIN, again]) == ["again"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("My wife is allergic to peanuts.", "I am allergic to peanuts."),
        ("My brother Tom lives in Rome", "My brother Tim lives in Rome"),
        ("I like tea", "I don't like tea"),
        ("I prefer dark mode in the editor on my laptop", "I prefer light mode in the editor on my laptop"),
    ],
)
def test_what_sounds_alike_and_is_not_the_same_is_said_twice(one: str, other: str) -> None:
    assert len(most_worth([replace(PLAIN, text=one), replace(PLAIN, id="other", text=other)])) == 2


def test_no_more_are_chosen_than_a_person_would_read() -> None:
    many = [DescribingMemory(str(number), f"Fact {number}", 0.5) for number in range(2 * MOST_LINES)]
    assert len(most_worth(many)) == MOST_LINES
    assert len(most_worth(many, 3)) == 3
