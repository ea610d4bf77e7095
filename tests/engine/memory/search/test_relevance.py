"""Relevance of what a search found."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.memory.search.relevance import NearPassage, relevance_score

cosines = st.floats(-1, 1)
passages = st.lists(st.builds(NearPassage, cosines, cosines), min_size=1, max_size=10)


def test_nothing_found_is_not_relevant() -> None:
    assert relevance_score([], 0.2) == 0.0


def test_a_passage_that_is_near_to_any_question_counts_less() -> None:
    hub, other = NearPassage(0.5, 0.6), NearPassage(0.5, 0.1)
    assert relevance_score([hub], 0.2) < relevance_score([other], 0.2)


def test_a_question_that_could_be_asked_of_anything_needs_a_nearer_passage() -> None:
    passage = NearPassage(0.4, 0.2)
    assert relevance_score([passage], 0.7) < relevance_score([passage], 0.1)


def test_several_near_passages_tell_more_than_one() -> None:
    near, far = NearPassage(0.5, 0.2), NearPassage(0.1, 0.2)
    assert relevance_score([near, near, near], 0.2) > relevance_score([near, far, far], 0.2)


@given(passages, cosines)
def test_the_score_does_not_depend_on_the_order(found: list[NearPassage], query: float) -> None:
    assert relevance_score(found, query) == relevance_score(list(reversed(found)), query)


@given(passages, cosines)
def test_a_nearer_best_passage_never_lowers_the_score(found: list[NearPassage], query: float) -> None:
    best = max(found, key=lambda one: one.similarity)
    nearer = [*found, NearPassage(best.similarity + 0.5, best.hubness)]
    assert relevance_score(nearer, query) >= relevance_score(found, query) - 1e-9
