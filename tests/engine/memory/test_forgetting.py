"""The memories that a request to forget means, by their chances."""

from __future__ import annotations

import pytest

from apps.engine.memory.forgetting import MOST_OFFERED, ForgetMatch, forget_matches


@pytest.mark.parametrize(
    ("chances", "meant"),
    [
        ([], 0),
        ([0.4], 0),
        ([0.5], 1),
        ([0.9, 0.45], 1),
        ([0.9, 0.5], 2),
        ([0.9, 0.85, 0.2], 2),
        ([0.9] * 9, MOST_OFFERED),
    ],
)
def test_one_is_meant_if_it_is_clear_else_the_person_chooses(chances: list[float], meant: int) -> None:
    found = [ForgetMatch(str(place), chance, shares_words=False) for place, chance in enumerate(chances)]
    assert len(forget_matches(found)) == meant


def test_a_memory_that_shares_words_needs_less_of_a_chance() -> None:
    found = [ForgetMatch("likely", 0.4, shares_words=False), ForgetMatch("named", 0.25, shares_words=True)]
    assert [one.id for one in forget_matches(found)] == ["named"]


@pytest.mark.parametrize(
    ("chance", "shares_words", "is_likely"), [(0.4, True, True), (0.4, False, False), (0.25, True, False)]
)
def test_a_memory_is_forgotten_without_asking_at_a_lower_chance_if_the_request_names_it(
    chance: float, shares_words: bool, is_likely: bool
) -> None:
    assert ForgetMatch("one", chance, shares_words=shares_words).is_likely is is_likely
    assert not ForgetMatch("one", chance, shares_words=shares_words, is_judged=False).is_likely
