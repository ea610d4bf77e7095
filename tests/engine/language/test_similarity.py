from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.language.similarity import (
    is_distinctive,
    normalized_case,
    overlap,
    speaker_of,
    specificity,
    stem,
    stems,
)


def test_inflected_forms_have_one_stem() -> None:
    assert len({stem(word) for word in ("deploy", "deploys", "deployed", "deploying")}) == 1
    assert len({stem(word) for word in ("plan", "plans", "planned", "planning")}) == 1


def test_numbers_names_and_dates_make_a_text_specific() -> None:
    assert specificity("Sell 40 bikes to Ann in Turin by Friday") == 3.0
    assert specificity("it is fine") == 0.0
    assert specificity("Ann: it is fine") == 0.0


def test_a_label_of_many_words_is_not_a_speaker() -> None:
    assert speaker_of("What we need above all others and before anything else: sleep") == ""


@given(st.text(), st.text())
def test_measures_are_symmetric_and_bounded(first: str, second: str) -> None:
    first_stems, second_stems = stems(first), stems(second)
    assert overlap(first_stems, second_stems) == overlap(second_stems, first_stems)
    assert 0 <= overlap(first_stems, second_stems) <= 1
    assert is_distinctive(first_stems, second_stems) == is_distinctive(second_stems, first_stems)
    assert len(normalized_case(first)) == len(first)
